package dev.muster.control.decide;

import dev.muster.model.JobSpec;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Backend;
import dev.muster.spi.Framework;
import java.time.Duration;

/**
 * How a job of its framework conducts itself, with every default resolved.
 *
 * @param success      whose exit 0 counts; never {@link SuccessPolicy.Default}
 * @param restartScope what is started anew where no rule says otherwise: GROUP or PROCESS
 * @param startsSingly whether its backend starts each process by itself
 * @param settle       how long exits are collected before judging, by the job's backend
 * @param sharedMemory how a job gets more shared memory on that backend
 */
public record Conduct(
        SuccessPolicy success, RestartScope restartScope, boolean startsSingly, Duration settle, String sharedMemory) {
    public Conduct {
        if (success instanceof SuccessPolicy.Default || restartScope == RestartScope.DEFAULT) {
            throw new IllegalArgumentException("a conduct has no default left: " + success + ", " + restartScope);
        }
    }

    /** The conduct of the job under its framework on its backend. */
    public static Conduct of(Framework framework, Backend backend, JobSpec spec) {
        SuccessPolicy success =
                spec.success() instanceof SuccessPolicy.Default ? framework.success(spec) : spec.success();
        RestartScope scope = backend.startsSingly() ? framework.restartScope(spec) : RestartScope.GROUP;
        return new Conduct(success, scope, backend.startsSingly(), backend.settleWindow(), backend.moreSharedMemory());
    }
}
