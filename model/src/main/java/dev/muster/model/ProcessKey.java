package dev.muster.model;

/**
 * One attempt of one process of one job: what a backend starts at most once.
 *
 * @param job     the job
 * @param name    the process
 * @param attempt the attempt of this process, from 1
 */
public record ProcessKey(JobId job, ProcessName name, int attempt) {
    public ProcessKey {
        Texts.require(attempt >= 1, "attempts count from 1");
    }

    @Override
    public String toString() {
        return job + "/" + name + "/a" + attempt;
    }
}
