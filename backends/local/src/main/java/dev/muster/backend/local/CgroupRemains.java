package dev.muster.backend.local;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.io.IOException;
import java.util.Collection;

/**
 * Control groups that no file tells of any more, as those of a job that removed its own folder. Only empty ones are removed: what runs
 * in another one may be anybody's.
 *
 * @param home name of this home among all on the machine; the groups of others are left alone
 */
record CgroupRemains(Cgroups cgroups, String home) {
    /** Name of the groups of one attempt. */
    static String name(String home, ProcessKey key) {
        return prefix(home, key.job()) + key.name() + "-a" + key.attempt();
    }

    private static String prefix(String home, JobId job) {
        return home + "-" + job + "-";
    }

    /** Removes those of the job. */
    void remove(JobId job) throws IOException {
        for (CgroupFolder group : cgroups.named(prefix(home, job))) {
            removeIfEmpty(group);
        }
    }

    /** Removes those of all jobs but these. */
    void removeAllBut(Collection<JobId> jobs) throws IOException {
        for (CgroupFolder group : cgroups.named(home + "-")) {
            String name = group.path().getFileName().toString();
            if (jobs.stream().noneMatch(job -> name.startsWith(prefix(home, job)))) {
                removeIfEmpty(group);
            }
        }
    }

    private static void removeIfEmpty(CgroupFolder group) {
        if (group.processes().isEmpty()) {
            group.remove();
        }
    }
}
