package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.io.IOException;
import java.nio.file.Path;

/** The files of a job that the control plane itself writes, hands over and removes. Each call can be repeated. Any thread may call. */
public interface JobFiles {
    /** Writes {@code MUSTER_CONTROL_DIR/stop} whole; one that is there already stays. */
    void writeStop(JobId job, long step) throws IOException;

    void clearStop(JobId job) throws IOException;

    /** Whether this service has a folder of the job. */
    boolean areHere(JobId job);

    /** MUSTER_MODEL_DIR of the attempt. */
    Path model(ProcessKey key);

    /** Removes the logs of all attempts. */
    void removeLogs(JobId job) throws IOException;

    /** Removes every file of the job. */
    void removeAll(JobId job) throws IOException;
}
