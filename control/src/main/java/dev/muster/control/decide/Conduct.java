package dev.muster.control.decide;

import dev.muster.model.JobSpec;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Framework;

/**
 * How a job of its framework conducts itself, with every default resolved.
 *
 * @param success      whose exit 0 counts; never {@link SuccessPolicy.Default}
 * @param restartScope what is started anew where no rule says otherwise: GROUP or PROCESS
 */
public record Conduct(SuccessPolicy success, RestartScope restartScope) {
    public Conduct {
        if (success instanceof SuccessPolicy.Default || restartScope == RestartScope.DEFAULT) {
            throw new IllegalArgumentException("a conduct has no default left: " + success + ", " + restartScope);
        }
    }

    /** The conduct of the job under its framework. */
    public static Conduct of(Framework framework, JobSpec spec) {
        SuccessPolicy success =
                spec.success() instanceof SuccessPolicy.Default ? framework.success(spec) : spec.success();
        return new Conduct(success, framework.restartScope(spec));
    }
}
