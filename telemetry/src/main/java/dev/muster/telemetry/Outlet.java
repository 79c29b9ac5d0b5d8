package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.JobStore.Point;
import java.util.List;

/** Where telemetry hands on what it does not keep. Called from its own thread, which waits meanwhile. */
public interface Outlet {
    /**
     * Takes points of the job's metrics. After a service that was killed in between, some may come twice.
     *
     * @throws RuntimeException when they cannot be taken now; they come again
     */
    void points(JobId job, List<Point> points);

    /** Takes a remark for the service's log, such as reports that could not be read; at most one a kind and attempt every 10 s. */
    void remark(ProcessKey key, String text);
}
