package dev.muster.spi;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Problem;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import java.util.List;
import java.util.Set;

/**
 * The launch contract of one framework. Every method is a pure function: no IO, no clock, no randomness, safe on any thread, equal
 * answers for equal arguments.
 */
public interface Framework {
    FrameworkKind kind();

    /** The roles a job of this framework may have besides sidecars, in the order in which their processes are listed. */
    List<String> roles();

    /** The roles whose processes have a rank, in the order ranks are given. */
    List<String> rankedRoles();

    /** Names of the variables this framework sets for such a job, so that a user may not; an entry ending in {@code *} is a prefix. */
    Set<String> reservedEnv(JobSpec spec);

    /** What is wrong with the job in the eyes of the framework; empty when nothing is. Names, counts and env are checked elsewhere. */
    List<Problem> check(JobSpec spec);

    /** What to start, complete with the variables every process of Muster is given. The job has passed {@link #check}. */
    LaunchPlan plan(JobSpec spec, Group group);

    /** Whose exit 0 makes the job succeed where the job text says {@code default}; never {@link SuccessPolicy.Default}. */
    SuccessPolicy success(JobSpec spec);

    /** What is restarted where no rule says otherwise: GROUP or PROCESS. */
    RestartScope restartScope(JobSpec spec);
}
