package dev.muster.frameworks.mpi;

import dev.muster.frameworks.CommandLine;
import dev.muster.frameworks.Companion;
import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.Command;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.ProcessName;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Open MPI 4 and 5 by their parameters as variables. Hosts are the workers' names, which nobody but our agent has to find: workers that share an
 * address stay hosts of their own, and names with dots cannot be cut. Processes are not bound to cores, as what a worker may use is the
 * backend's to say.
 *
 * <p>Open MPI's daemons stay children of our agents for as long as mpirun runs: of one that has detached nobody sees the end, and mpirun
 * would wait for it for ever. As none of the calls of our rsh.py returns before the job ends, mpirun is told to make as many at once as
 * there are workers; with more of them than that it does not start.
 */
record OpenMpi(Roster roster) implements Contract {
    static final Set<String> VARIABLES = Set.of(
            "OMPI_MCA_plm_rsh_agent",
            "OMPI_MCA_plm_rsh_no_tree_spawn",
            "OMPI_MCA_plm_rsh_num_concurrent",
            "OMPI_MCA_orte_leave_session_attached",
            "OMPI_MCA_orte_default_hostfile",
            "OMPI_MCA_orte_keep_fqdn_hostnames",
            "OMPI_MCA_hwloc_base_binding_policy",
            "OMPI_MCA_oob_tcp_if_include",
            "OMPI_MCA_btl_tcp_if_include",
            "OMPI_MCA_btl_vader_single_copy_mechanism",
            "OMPI_ALLOW_RUN_AS_ROOT",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
            "PRTE_MCA_plm_ssh_agent",
            "PRTE_MCA_plm_ssh_no_tree_spawn",
            "PRTE_MCA_plm_ssh_num_concurrent",
            "PRTE_MCA_prte_default_hostfile",
            "PRTE_MCA_oob_tcp_if_include");

    private static final String PORT = "agent";
    private static final String AGENT = ".muster/agent.py";
    private static final String RSH = ".muster/rsh.py";
    private static final String HOSTS = ".muster/hostfile";
    private static final String AGENTS = ".muster/agents";

    @Override
    public Map<String, Template> env(Slot slot) {
        Map<String, Template> env = new HashMap<>();
        if (isLauncher(slot) || slot.isRanked()) {
            env.put(JobSpec.GROUP_SECRET, Template.of(new Part.SecretValue(JobSpec.GROUP_SECRET)));
            env.put("OMPI_ALLOW_RUN_AS_ROOT", Template.text("1"));
            env.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", Template.text("1"));
        }
        if (isLauncher(slot)) {
            Template rsh = Template.of(
                    new Part.FactOf(Part.Fact.PYTHON), new Part.Text(" "), code(), new Part.Text("/" + RSH));
            Template hosts = Template.of(code(), new Part.Text("/" + HOSTS));
            Template atOnce =
                    Template.text(Integer.toString(roster.rankedMembers().size()));
            Template through = Template.of(new Part.FactOf(Part.Fact.INTERFACE));
            env.put("OMPI_MCA_plm_rsh_agent", rsh);
            env.put("OMPI_MCA_plm_rsh_no_tree_spawn", Template.text("1"));
            env.put("OMPI_MCA_plm_rsh_num_concurrent", atOnce);
            env.put("OMPI_MCA_orte_leave_session_attached", Template.text("1"));
            env.put("OMPI_MCA_orte_default_hostfile", hosts);
            env.put("OMPI_MCA_orte_keep_fqdn_hostnames", Template.text("1"));
            env.put("OMPI_MCA_hwloc_base_binding_policy", Template.text("none"));
            env.put("OMPI_MCA_btl_vader_single_copy_mechanism", Template.text("none"));
            env.put("OMPI_MCA_oob_tcp_if_include", through);
            env.put("OMPI_MCA_btl_tcp_if_include", through);
            env.put("PRTE_MCA_plm_ssh_agent", rsh);
            env.put("PRTE_MCA_plm_ssh_no_tree_spawn", Template.text("1"));
            env.put("PRTE_MCA_plm_ssh_num_concurrent", atOnce);
            env.put("PRTE_MCA_prte_default_hostfile", hosts);
            // Open MPI 5 has no use for the loopback interface, and does not start where it is to take no other.
            env.put("PRTE_MCA_oob_tcp_if_include", Template.of(new Part.FactOf(Part.Fact.OUTWARD_INTERFACE)));
        }
        return env;
    }

    private static Part code() {
        return new Part.PathOf(Part.Place.CODE);
    }

    private static boolean isLauncher(Slot slot) {
        return slot.name().role().equals(MpiFramework.LAUNCHER);
    }

    @Override
    public List<Template> argv(Slot slot, Command command) {
        if (!slot.isRanked()) {
            return CommandLine.of(command);
        }
        Member self = slot.name().member();
        return List.of(
                CommandLine.python(),
                Template.text(AGENT),
                Template.of(new Part.HostOf(self)),
                Template.of(new Part.PortOf(self, PORT)));
    }

    @Override
    public Map<String, Template> files(Slot slot) {
        if (slot.isRanked()) {
            return Map.of(AGENT, Template.text(Companion.text(OpenMpi.class, "agent.py")));
        }
        return isLauncher(slot)
                ? Map.of(
                        RSH,
                        Template.text(Companion.text(OpenMpi.class, "rsh.py")),
                        HOSTS,
                        Template.text(hosts()),
                        AGENTS,
                        agents())
                : Map.of();
    }

    /** A line a host, none twice, with a newline at the end. */
    private String hosts() {
        int slots = roster.spec().processesPerWorker();
        return roster.rankedMembers().stream()
                .map(member -> member + " slots=" + slots + "\n")
                .collect(Collectors.joining());
    }

    private Template agents() {
        List<Part> parts = new ArrayList<>();
        for (Member member : roster.rankedMembers()) {
            parts.add(new Part.Text(member + " "));
            parts.add(new Part.AddressOf(member, PORT));
            parts.add(new Part.Text("\n"));
        }
        return new Template(parts);
    }

    @Override
    public List<String> ports(Slot slot) {
        return slot.isRanked() ? List.of(PORT) : List.of();
    }

    @Override
    public Join join(Slot slot) {
        return slot.isRanked() ? new Join.Listens(PORT) : new Join.Started();
    }

    @Override
    public Set<ProcessName> after(Slot slot) {
        return isLauncher(slot)
                ? roster.slots().stream().filter(Slot::isRanked).map(Slot::name).collect(Collectors.toSet())
                : Set.of();
    }

    @Override
    public boolean isEssential(Slot slot) {
        return isLauncher(slot);
    }
}
