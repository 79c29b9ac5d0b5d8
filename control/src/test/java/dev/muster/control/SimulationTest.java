package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobTransition;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many seeds of {@link Simulation}. A failure names its seed and tells a history cut down to what it takes: replay it with
 * {@code testbed/simulate --seed N}.
 */
final class SimulationTest {
    private static final long SEEDS = 2000;

    @Test
    @Timeout(1800)
    void everySeedBringsEveryJobToItsOneRightEnd() {
        Map<String, Integer> ends = new Seeds(1, SEEDS).run(Runtime.getRuntime().availableProcessors());
        for (JobTransition row : JobTransition.values()) {
            assertThat(ends).as("the simulation reaches every step").containsKey(row.name());
        }
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        for (long seed = 1; seed <= 20; seed++) {
            Simulation one = Simulation.of(seed);
            Simulation other = Simulation.of(seed);
            one.run();
            other.run();
            assertThat(one.story()).as("seed %s", seed).isEqualTo(other.story());
        }
    }
}
