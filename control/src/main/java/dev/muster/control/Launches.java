package dev.muster.control;

import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import java.util.Map;

/** Makes the launches of a job's processes: one place, so that what a plan shows is what is started. Pure. */
public final class Launches {
    private Launches() {}

    /**
     * The launch of one attempt.
     *
     * @param python  of the process's role
     * @param secrets values by variable
     */
    public static Launch of(
            JobRecord job, ProcessKey key, ProcessPlan plan, Interpreter python, Map<String, String> secrets) {
        return new Launch(
                key,
                plan,
                job.spec(),
                job.placement(),
                python,
                job.origin().codeDigest(),
                job.origin().folder(),
                job.resumeFrom(),
                secrets,
                job.origin().path(),
                job.origin().owner());
    }
}
