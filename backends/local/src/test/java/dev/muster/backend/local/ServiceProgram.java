package dev.muster.backend.local;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.Placement;
import dev.muster.model.Resources;
import dev.muster.testkit.TrialJob;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A service in a JVM of its own, to be killed: starts one job of two workers, says so and waits. Arguments: folder of the place, the
 * id of the job, the script of each worker.
 */
final class ServiceProgram {
    private ServiceProgram() {}

    /** The job; its id is different for each run of a test, for processes are looked for by it. */
    static TrialJob job(String id, String script) {
        return TrialJob.script(new JobId(id), BackendKind.LOCAL, script)
                .withWorkers(2)
                .withEnv(Map.of("JOB_CLASSES", System.getProperty("java.class.path")))
                .withResources(new Resources(OptionalInt.empty(), OptionalLong.empty(), 1))
                .withPorts("a");
    }

    public static void main(String[] arguments) throws Exception {
        LocalPlace place = new LocalPlace(Path.of(arguments[0]), UnaryOperator.identity());
        TrialJob job = job(arguments[1], arguments[2]);
        try (LocalBackend backend = new LocalBackend(place.config("home", "0,1"))) {
            Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
            backend.start(job.launch(0, 1, placement, "/"));
            backend.start(job.launch(1, 1, placement, "/"));
            System.out.println("started " + String.join(",", placement.gpus().values()));
            Thread.sleep(600_000);
        }
    }
}
