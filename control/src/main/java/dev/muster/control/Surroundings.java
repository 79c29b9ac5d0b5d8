package dev.muster.control;

import dev.muster.model.Keep;
import dev.muster.model.Queues;
import dev.muster.spi.Clock;
import dev.muster.spi.Ids;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What the control plane lives in.
 *
 * @param clock   the one clock
 * @param ids     gives job ids
 * @param files   files of jobs
 * @param slow    runs what takes long, such as building an environment, each on a thread of its own that may be interrupted; never in
 *     the caller's call
 * @param monitor is told what goes wrong
 * @param replica which of the services over one store this is
 * @param longest how long things of ended jobs are kept at most, whatever the jobs ask for
 * @param queues  as configured
 */
public record Surroundings(
        Clock clock,
        Ids ids,
        JobFiles files,
        Executor slow,
        Monitor monitor,
        ThisReplica replica,
        Keep longest,
        Queues queues) {
    /** Bounds nothing: things are kept as long as their jobs ask for. */
    public static final Keep FOREVER = new Keep(Optional.empty(), Optional.empty(), Optional.empty());

    /** What a service lives in that is not configured: it keeps things as long as their jobs ask for, and has no quotas. */
    public Surroundings(Clock clock, Ids ids, JobFiles files, Executor slow, Monitor monitor, ThisReplica replica) {
        this(clock, ids, files, slow, monitor, replica, FOREVER, Queues.STANDARD);
    }

    /** What the only service over its store lives in. */
    public Surroundings(Clock clock, Ids ids, JobFiles files, Executor slow, Monitor monitor) {
        this(clock, ids, files, slow, monitor, ThisReplica.ALONE);
    }
}
