package dev.muster.control.decide;

import dev.muster.spi.Telemetry.Rhythm;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * From when on a silence is unusual for who had such a rhythm: many times what lay between two reports, longer than any pause it ever
 * made (validations, checkpoints), and never less than two minutes, as the first of those pauses is still to come.
 */
public final class AutoBound {
    private static final Duration LEAST = Duration.ofMinutes(2);
    private static final int USUAL = 20;
    private static final int LONGEST = 3;
    private static final int REPORTS = 10;
    private static final int MOST_DOUBLED = 4;

    private AutoBound() {}

    /**
     * The bound; empty while too little was reported.
     *
     * @param restarts so often was the job restarted: each doubles the bound, so that a wrong guess does not repeat for ever
     */
    public static Optional<Duration> of(Rhythm rhythm, int restarts) {
        if (rhythm.reports() < REPORTS) {
            return Optional.empty();
        }
        return Stream.of(
                        LEAST,
                        rhythm.every().multipliedBy(USUAL),
                        rhythm.longest().multipliedBy(LONGEST))
                .max(Duration::compareTo)
                .map(bound -> bound.multipliedBy(1L << Math.min(restarts, MOST_DOUBLED)));
    }
}
