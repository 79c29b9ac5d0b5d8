package dev.muster.frameworks;

import dev.muster.model.JobSpec;
import dev.muster.model.Part;
import dev.muster.model.Part.Fact;
import dev.muster.model.Part.Place;
import dev.muster.model.Template;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The variables every process of Muster is given, whatever its framework; listed in CONTRACT section 2. */
final class WorkerEnvironment {
    /** No user variable may start like this. */
    static final String RESERVED = "MUSTER_*";

    private WorkerEnvironment() {}

    static Map<String, Template> of(Roster roster, Slot slot) {
        JobSpec spec = roster.spec();
        Map<String, Template> env = new TreeMap<>();
        env.put("PYTHONUNBUFFERED", Template.text("1"));
        env.put("PATH", fact(Fact.PATH));
        spec.role(slot.name().role()).env().forEach((name, value) -> env.put(name, Template.text(value)));
        spec.secrets().keySet().forEach(name -> env.put(name, Template.of(new Part.SecretValue(name))));
        identity(env, roster, slot);
        places(env, spec);
        return env;
    }

    private static void identity(Map<String, Template> env, Roster roster, Slot slot) {
        env.put("MUSTER_JOB_ID", fact(Fact.JOB_ID));
        env.put("MUSTER_JOB_NAME", Template.text(roster.spec().name()));
        env.put("MUSTER_ROLE", Template.text(slot.name().role()));
        env.put("MUSTER_INDEX", number(slot.name().index()));
        slot.rank().ifPresent(rank -> env.put("MUSTER_RANK", number(rank)));
        env.put("MUSTER_WORLD_SIZE", number(roster.worldSize()));
        env.put("MUSTER_ATTEMPT", fact(Fact.ATTEMPT));
        env.put("MUSTER_IS_CHIEF", Template.text(Boolean.toString(slot.isChief())));
    }

    private static void places(Map<String, Template> env, JobSpec spec) {
        env.put("MUSTER_CODE_DIR", place(Place.CODE));
        env.put("MUSTER_MODEL_DIR", place(Place.MODEL));
        env.put("MUSTER_CHECKPOINT_DIR", place(Place.CHECKPOINTS));
        env.put("MUSTER_CONTROL_DIR", place(Place.CONTROL));
        env.put("MUSTER_REPORT_FILE", place(Place.REPORT_FILE));
        env.put("MUSTER_RESUME_FROM", fact(Fact.RESUME_FROM));
        spec.data().keySet().forEach(name -> env.put(JobSpec.dataVariable(name), Template.of(new Part.DataPath(name))));
        spec.checkpoints()
                .every()
                .ifPresent(every -> env.put("MUSTER_CHECKPOINT_EVERY_SECONDS", Template.text(seconds(every))));
    }

    /** Whole seconds without a point, else with as many decimals as it takes. */
    private static String seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString();
    }

    private static Template number(int number) {
        return Template.text(Integer.toString(number));
    }

    private static Template fact(Fact fact) {
        return Template.of(new Part.FactOf(fact));
    }

    private static Template place(Place place) {
        return Template.of(new Part.PathOf(place));
    }
}
