package dev.muster.frameworks.plain;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import java.util.Set;

/**
 * No framework: the MUSTER_ variables only, every process counts as joined once it is started.
 *
 * <p>A failure restarts the group. Muster cannot know whether the processes talk to each other, and a survivor that waits for a lost
 * peer hangs for ever, whereas a group restart only costs time; a job whose processes are independent says so with a restart rule of
 * {@code scope: process}. For a job of one process the two are the same.
 */
public final class PlainFramework extends GroupFramework {
    @Override
    public FrameworkKind kind() {
        return FrameworkKind.PLAIN;
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return Set.of();
    }

    @Override
    protected Contract contract(Roster roster) {
        return new Contract() {};
    }
}
