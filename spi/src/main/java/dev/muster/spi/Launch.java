package dev.muster.spi;

import dev.muster.model.JobSpec;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RoleSpec;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a backend needs to start one attempt of one process.
 *
 * @param key        which attempt
 * @param plan       the process in the launch plan
 * @param spec       the job
 * @param placement  where the group lives
 * @param python     the Python of the process
 * @param codeDigest snapshot of the code, absent for an empty working folder
 * @param folder     folder of the job file, against which relative data paths are read
 * @param resumeFrom what the framework's restore takes, absent for a fresh start
 * @param secrets    values by variable
 * @param path       the submitter's PATH, which follows the Python's folders; empty for the backend's own
 * @param owner      the user whose job it is; empty where that is not told
 */
public record Launch(
        ProcessKey key,
        ProcessPlan plan,
        JobSpec spec,
        Placement placement,
        Interpreter python,
        Optional<String> codeDigest,
        String folder,
        Optional<String> resumeFrom,
        Map<String, String> secrets,
        String path,
        String owner) {
    public Launch {
        secrets = Map.copyOf(secrets);
    }

    /** The process's role with the job's defaults. */
    public RoleSpec role() {
        return spec.role(key.name().role());
    }

    /** Secrets are left out. */
    @Override
    public String toString() {
        return "Launch[" + key + "]";
    }
}
