package dev.muster.spi;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.nio.file.Path;

/**
 * The layout of MUSTER_HOME below which all files of jobs live. Paths only; nothing is made or read here.
 *
 * @param home absolute MUSTER_HOME
 */
public record JobFolders(Path home) {
    public JobFolders {
        if (!home.isAbsolute()) {
            throw new IllegalArgumentException("MUSTER_HOME is an absolute path: " + home);
        }
    }

    /** Everything of one job. */
    public Path job(JobId job) {
        return home.resolve("jobs").resolve(job.value());
    }

    /** MUSTER_CHECKPOINT_DIR: one for the job, shared by its processes and attempts. */
    public Path checkpoints(JobId job) {
        return job(job).resolve("checkpoints");
    }

    /** MUSTER_CONTROL_DIR: one for the job. */
    public Path control(JobId job) {
        return job(job).resolve("control");
    }

    /** Everything of one attempt of one process that goes when the process's objects go. */
    public Path process(ProcessKey key) {
        return job(key.job())
                .resolve("processes")
                .resolve(key.name().toString())
                .resolve("a" + key.attempt());
    }

    /** MUSTER_CODE_DIR, the working folder of the attempt. */
    public Path code(ProcessKey key) {
        return process(key).resolve("code");
    }

    /** MUSTER_MODEL_DIR of the attempt. */
    public Path model(ProcessKey key) {
        return process(key).resolve("model");
    }

    /** MUSTER_REPORT_FILE of the attempt. */
    public Path reports(ProcessKey key) {
        return process(key).resolve("reports.jsonl");
    }

    /** Raw standard output and error of the attempt, together, as the process wrote them; kept as long as logs are kept. */
    public Path log(ProcessKey key) {
        return job(key.job()).resolve("logs").resolve(key.name().toString()).resolve("a" + key.attempt() + ".log");
    }

    /** Index of times beside the log, written by the service. */
    public Path logTimes(ProcessKey key) {
        Path log = log(key);
        return log.resolveSibling(log.getFileName() + ".times");
    }

    /** How far the service has read what the attempt says, and what it had said, beside the log. */
    public Path logState(ProcessKey key) {
        Path log = log(key);
        return log.resolveSibling(log.getFileName() + ".state");
    }

    /** Why the attempt did not go on, as files of text a person can read; made when it stalled, kept as long as its log. */
    public Path evidence(ProcessKey key) {
        return log(key).resolveSibling("a" + key.attempt() + ".evidence");
    }
}
