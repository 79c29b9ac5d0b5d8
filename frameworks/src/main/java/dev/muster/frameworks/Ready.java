package dev.muster.frameworks;

import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Problem;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Processes that are held ready, the framework imported, to take the place of lost ones: {@code standby.py} tells what one does.
 *
 * @param module what it imports
 */
record Ready(String module) {
    private static final String PROGRAM = ".muster/standby.py";
    private static final String SUITED = "tensorflow, pytorch (launcher direct, or elastic) and jax";

    ProcessPlan plan(Roster roster, Slot slot) {
        return new ProcessPlan(
                slot.name(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                false,
                List.of(CommandLine.python(), Template.text(PROGRAM), Template.text(module)),
                WorkerEnvironment.of(roster, slot),
                files(),
                List.of(),
                new Join.Started());
    }

    private static Map<String, Template> files() {
        Map<String, Template> files = new HashMap<>(ScriptRunner.files());
        files.put(PROGRAM, Template.text(Companion.text(Ready.class, "standby.py")));
        return files;
    }

    /** What is wrong with a job that wants processes held ready. */
    static List<Problem> check(JobSpec spec, Optional<Ready> ready) {
        if (spec.standby() == 0) {
            return List.of();
        }
        if (ready.isEmpty()) {
            return List.of(Problem.of(
                    "standby",
                    "no process of " + shown(spec) + " can be held ready, for it would have nothing to import that "
                            + "its script needs; those of " + SUITED + " can",
                    "remove standby"));
        }
        List<Problem> problems = new ArrayList<>();
        if (spec.roles().containsKey(JobSpec.STANDBY)) {
            problems.add(Problem.of(
                    "roles." + JobSpec.STANDBY,
                    "the processes that are held ready have that name, so no role may have it",
                    "another name"));
        }
        if (spec.roles().keySet().stream().noneMatch(spec::standbyServes)) {
            problems.add(
                    Problem.of(
                            "standby",
                            "needs a command that is python, by that name, with a script or with -m and a module, and no option of Python"
                                    + " before them: a process held ready is the job's own Python, and has begun already",
                            "command: [python, train.py]; a path such as /usr/bin/python3 goes to environment.python.interpreter"));
        }
        return problems;
    }

    private static String shown(JobSpec spec) {
        return "a " + spec.framework().text() + " job"
                + (spec.options().torchrun() ? " below torchrun whose size is fixed" : "");
    }
}
