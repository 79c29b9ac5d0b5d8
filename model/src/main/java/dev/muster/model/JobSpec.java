package dev.muster.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job as its user asked for it, every default filled in and every short form written out. That it is consistent with its
 * framework and backend is checked before one is accepted, not here.
 *
 * @param name               DNS label of 1 to 40 characters
 * @param framework          whose launch contract is followed
 * @param backend            where it runs
 * @param roles              in the order ranks are given: chief, worker, then the others as written
 * @param processesPerWorker ranks a worker
 * @param code               folder of the training code, relative to the job file
 * @param secrets            variable of the processes, and the submitter's variable that held its value; never the value
 * @param data               name of the data and where it is, as written
 * @param model              name under which the trained model is registered
 * @param checkpoints        keeping, period and start of checkpoints
 * @param success            whose exit 0 counts
 * @param restart            when it is tried again
 * @param elastic            bounds of a group that may change
 * @param standby            how many processes are held ready for each one that a restart starts anew; 0 for none
 * @param limits             bounds of time
 * @param queue              queue it waits in
 * @param priority           higher goes first
 * @param suspended          accepted without being started
 * @param keep               how long things are kept after the end
 * @param options            parts of one framework or backend
 */
public record JobSpec(
        String name,
        FrameworkKind framework,
        BackendKind backend,
        Map<String, RoleSpec> roles,
        int processesPerWorker,
        Optional<String> code,
        Map<String, String> secrets,
        Map<String, String> data,
        Optional<String> model,
        CheckpointPolicy checkpoints,
        SuccessPolicy success,
        RestartPolicy restart,
        Optional<Elastic> elastic,
        int standby,
        Limits limits,
        String queue,
        int priority,
        boolean suspended,
        Keep keep,
        Options options) {
    public static final String CHIEF = "chief";
    public static final String WORKER = "worker";
    /** The role of the processes that are held ready to take the place of lost ones; Muster adds it. */
    public static final String STANDBY = "standby";

    public static final String PARAMETER_SERVER = "ps";

    private static final String RENDEZVOUS = "rendezvous";
    /** Variable of the secret that a group shares where its framework needs one; made by the service for each job. */
    public static final String GROUP_SECRET = "MUSTER_GROUP_SECRET";

    public JobSpec {
        Texts.require(!name.isEmpty(), "a job has a name");
        Texts.require(!roles.isEmpty(), "a job has at least one role");
        Texts.require(processesPerWorker >= 1, "processesPerWorker is at least 1");
        Texts.require(standby >= 0, "standby is 0 or more");
        roles = Collections.unmodifiableMap(new LinkedHashMap<>(roles));
        secrets = Map.copyOf(secrets);
        data = Map.copyOf(data);
    }

    /** The role of the process that Muster adds: the framework's, or where the workers of an elastic PyTorch job find each other. */
    public Optional<String> companion() {
        boolean meets = framework == FrameworkKind.PYTORCH && elastic.isPresent() && options.torchrun();
        return meets ? Optional.of(RENDEZVOUS) : framework.companion();
    }

    /** The roles as written, and behind them the companion and those held ready. */
    public Map<String, RoleSpec> everyRole() {
        Optional<String> companion = companion().filter(role -> !roles.containsKey(role));
        boolean ready = standby > 0 && !roles.containsKey(STANDBY);
        if (companion.isEmpty() && !ready) {
            return roles;
        }
        Map<String, RoleSpec> every = new LinkedHashMap<>(roles);
        companion.ifPresent(role -> every.put(role, ofCompanion()));
        if (ready) {
            every.put(STANDBY, ofStandby());
        }
        return every;
    }

    /** Whether it is the role of those held ready. */
    public boolean isStandby(String role) {
        return standby > 0 && role.equals(STANDBY);
    }

    /**
     * Whether who is held ready may take the place of a process of this role: that is a program of Python, has the same software and was given
     * the same variables.
     */
    public boolean standbyServes(String role) {
        if (standby == 0 || isStandby(role)) {
            return false;
        }
        RoleSpec lost = role(role);
        RoleSpec ready = served();
        return !lost.sidecar()
                && lost.command() instanceof Command.Exec program
                && program.isPythonProgram()
                && lost.env().equals(ready.env())
                && lost.environment().equals(ready.environment())
                && lost.resources().equals(ready.resources());
    }

    /** The role whose processes those held ready are like. */
    private RoleSpec served() {
        return roles.getOrDefault(WORKER, first());
    }

    private RoleSpec first() {
        return roles.getOrDefault(
                CHIEF, roles.getOrDefault(WORKER, roles.values().iterator().next()));
    }

    /** For each rank where they all start anew together; for one where each starts anew by itself. */
    private int standbys() {
        boolean singly = elastic.isPresent() || roles.containsKey(PARAMETER_SERVER);
        int ranks = roles.entrySet().stream()
                .filter(role -> role.getKey().equals(CHIEF) || role.getKey().equals(WORKER))
                .mapToInt(role -> role.getValue().count() * processesPerWorker)
                .sum();
        return standby * (singly ? 1 : Math.max(1, ranks));
    }

    /**
     * What is idle takes memory; the cores and GPUs are those of the process whose place it takes. A pod has all that it may ever use from when it is
     * made.
     */
    private RoleSpec ofStandby() {
        RoleSpec like = served();
        Resources memory = new Resources(
                OptionalInt.empty(), like.resources().part(processesPerWorker).memoryBytes(), OptionalInt.empty());
        Resources takes = backend == BackendKind.KUBERNETES ? like.resources() : memory;
        return new RoleSpec(standbys(), true, like.command(), like.env(), takes, like.environment());
    }

    /** The same job with another number of workers. */
    public JobSpec withWorkers(int count) {
        Map<String, RoleSpec> changed = new LinkedHashMap<>(roles);
        changed.put(WORKER, role(WORKER).withCount(count));
        return with(changed, standby);
    }

    /** The same job with another number of processes held ready. */
    public JobSpec withStandby(int count) {
        return with(roles, count);
    }

    private JobSpec with(Map<String, RoleSpec> otherRoles, int otherStandby) {
        return new JobSpec(
                name,
                framework,
                backend,
                otherRoles,
                processesPerWorker,
                code,
                secrets,
                data,
                model,
                checkpoints,
                success,
                restart,
                elastic,
                otherStandby,
                limits,
                queue,
                priority,
                suspended,
                keep,
                options);
    }

    /** One process that asks for nothing and has the software of the first role, as it speaks that framework. */
    private RoleSpec ofCompanion() {
        RoleSpec first = first();
        return new RoleSpec(1, true, first.command(), first.env(), Resources.NONE, first.environment());
    }

    /** The variables that carry a secret: those written, and the group's own where its framework needs one. */
    public Set<String> secretVariables() {
        if (!framework.hasGroupSecret()) {
            return secrets.keySet();
        }
        Set<String> variables = new TreeSet<>(secrets.keySet());
        variables.add(GROUP_SECRET);
        return variables;
    }

    /** The named role, written or companion; it must be there. */
    public RoleSpec role(String role) {
        RoleSpec found = everyRole().get(role);
        if (found == null) {
            throw new IllegalArgumentException("job " + name + " has no role " + role);
        }
        return found;
    }

    /** What one process that Muster starts is limited to: all its worker may have, or its part where each rank is a process of its own. */
    public Resources resources(ProcessName process) {
        if (isStandby(process.role())) {
            return served().resources().part(processesPerWorker);
        }
        Resources worker = role(process.role()).resources();
        return process.local().isPresent() ? worker.part(processesPerWorker) : worker;
    }

    /** The variable that carries the place of the named data: upper case, every other character than a letter or digit is {@code _}. */
    public static String dataVariable(String data) {
        return "MUSTER_DATA_" + data.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
