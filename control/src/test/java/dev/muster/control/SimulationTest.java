package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobTransition;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many seeds of {@link Simulation}. A failure names its seed: replay it alone with {@code -Dmuster.seed=N}; more seeds with
 * {@code -Dmuster.seeds=N}.
 */
final class SimulationTest {
    @Test
    @Timeout(600)
    void everySeedBringsEveryJobToItsOneRightEnd() {
        long first = Long.getLong("muster.seed", 1);
        long seeds = System.getProperty("muster.seed") == null ? Long.getLong("muster.seeds", 400) : 1;
        TreeSet<String> ends = new TreeSet<>();
        for (long seed = first; seed < first + seeds; seed++) {
            Simulation simulation = new Simulation(seed);
            simulation.run();
            ends.addAll(simulation.ends());
        }
        if (seeds >= 400) {
            for (JobTransition row : JobTransition.values()) {
                assertThat(ends).as("the simulation reaches every step").contains(row.name());
            }
        }
    }
}
