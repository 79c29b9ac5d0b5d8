package dev.muster.frameworks.horovod;

import dev.muster.frameworks.CommandLine;
import dev.muster.frameworks.Companion;
import dev.muster.frameworks.CompanionContract;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.ScriptRunner;
import dev.muster.frameworks.Slot;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Elastic Horovod. The companion runs Horovod's own elastic driver, which starts nothing: each worker says to it that it is there
 * ({@code member.py}) and is told its rank. To Horovod each attempt of a worker is a host of its own, since a host that failed is never taken
 * again.
 */
record ElasticRanks(Companion companion) implements CompanionContract {
    static final Set<String> VARIABLES = variables();

    /**
     * How long a rank waits for another one in a collective: whose own neighbours live does not see by itself that one of the group is gone.
     * Horovod's default; it is the background thread that answers, whatever the script does meanwhile.
     */
    private static final long TIMEOUT_SECONDS = 30;

    private static final String RENDEZVOUS = "rendezvous";
    private static final String MEMBERS = "members";
    private static final String MEMBER = ".muster/member.py";

    private static Set<String> variables() {
        Set<String> names = new TreeSet<>(GlooRanks.VARIABLES);
        names.add("HOROVOD_ELASTIC");
        return names;
    }

    static ElasticRanks of(Roster roster) {
        return new ElasticRanks(Companion.of(roster, RENDEZVOUS, ElasticRanks.class, "elastic.py"));
    }

    private Member driver() {
        return new Member(companion.roster().spec().companion().orElseThrow(), 0);
    }

    @Override
    public Map<String, Template> env(Slot slot) {
        if (!slot.isRanked()) {
            return Map.of();
        }
        Map<String, Template> env = new HashMap<>();
        env.put("HOROVOD_ELASTIC", Template.text("1"));
        env.put("HOROVOD_HOSTNAME", Template.of(new Part.Text(slot.name() + "-a"), new Part.FactOf(Part.Fact.ATTEMPT)));
        env.put("HOROVOD_LOCAL_RANK", Template.text("0"));
        env.put("HOROVOD_LOCAL_SIZE", Template.text("1"));
        env.putAll(GlooRanks.meeting(companion, TIMEOUT_SECONDS));
        return env;
    }

    @Override
    public List<Template> argv(Slot slot, Command command) {
        if (companion.is(slot)) {
            return companion.argv(companionArguments());
        }
        List<Template> line = new ArrayList<>();
        if (slot.isRanked()) {
            line.add(CommandLine.python());
            line.add(Template.text(MEMBER));
            line.add(companion.host());
            line.add(Template.of(new Part.PortOf(driver(), MEMBERS)));
        }
        line.addAll(CommandLine.of(command));
        return line;
    }

    @Override
    public List<Template> companionArguments() {
        JobSpec spec = companion.roster().spec();
        Elastic bounds = spec.elastic().orElseThrow();
        int chiefs = companion.roster().group().count(JobSpec.CHIEF);
        return List.of(
                companion.host(),
                companion.portNumber(),
                Template.of(new Part.PortOf(driver(), MEMBERS)),
                number(bounds.min() + chiefs),
                number(bounds.max() + chiefs),
                // Who waits for peers longer than startDeadline is ended by Muster, which says who is missing.
                number(spec.limits().startDeadline().toSeconds() + 60));
    }

    private static Template number(long number) {
        return Template.text(Long.toString(number));
    }

    @Override
    public List<String> ports(Slot slot) {
        return companion.is(slot) ? List.of(RENDEZVOUS, MEMBERS) : List.of();
    }

    @Override
    public Map<String, Template> files(Slot slot) {
        if (!slot.isRanked()) {
            return companion.files(slot);
        }
        Map<String, Template> files = new HashMap<>(ScriptRunner.files());
        files.put(MEMBER, Template.text(Companion.text(ElasticRanks.class, "member.py")));
        return files;
    }

    @Override
    public Join join(Slot slot) {
        return slot.isRanked() ? new Join.Connected(driver(), MEMBERS) : companion.join(slot);
    }
}
