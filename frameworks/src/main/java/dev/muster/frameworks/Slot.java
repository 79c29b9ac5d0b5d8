package dev.muster.frameworks;

import dev.muster.model.ProcessName;
import java.util.OptionalInt;

/**
 * One place in a launch plan, before it is filled.
 *
 * @param name      the process that takes it
 * @param rank      its rank; absent for processes that have none
 * @param localRank its rank on its worker; absent where rank is
 */
public record Slot(ProcessName name, OptionalInt rank, OptionalInt localRank) {
    /** Whether this is rank 0, whose model folder is the one that is published. */
    public boolean isChief() {
        return rank.orElse(-1) == 0;
    }

    public boolean isRanked() {
        return rank.isPresent();
    }
}
