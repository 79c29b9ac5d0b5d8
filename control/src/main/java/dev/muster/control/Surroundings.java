package dev.muster.control;

import dev.muster.spi.Clock;
import dev.muster.spi.Ids;
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
 */
public record Surroundings(Clock clock, Ids ids, JobFiles files, Executor slow, Monitor monitor) {}
