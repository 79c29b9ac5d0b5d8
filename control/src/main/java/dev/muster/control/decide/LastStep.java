package dev.muster.control.decide;

import dev.muster.model.Progress;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import dev.muster.spi.Telemetry.Signs;
import java.time.Duration;
import java.time.Instant;

/**
 * The step that the stop file names, after which all ranks leave: one that none of them has passed when it reads the file. A rank that
 * had would leave at once, and the others would wait for it in the next collective.
 */
final class LastStep {
    /** How far ahead of the training the file points, where the grace time has room for it. */
    private static final Duration AHEAD = Duration.ofSeconds(3);

    private LastStep() {}

    /** 0, which asks to leave at once, when no step is known. */
    static long of(Signs signs, Duration grace, Instant now) {
        Duration half = grace.dividedBy(2);
        double ahead = seconds(half.compareTo(AHEAD) < 0 ? half : AHEAD);
        return Math.max(
                byTimeLeft(signs.progress(), ahead),
                signs.paces().values().stream()
                        .mapToLong(pace -> byPace(pace, ahead, now))
                        .max()
                        .orElse(0));
    }

    private static long byTimeLeft(Progress progress, double ahead) {
        if (progress.step().isEmpty()) {
            return 0;
        }
        long step = progress.step().getAsLong();
        double pace = 0;
        if (progress.total().isPresent() && progress.etaSeconds().orElse(0) > 0) {
            pace = (progress.total().getAsLong() - step) / progress.etaSeconds().getAsDouble();
        }
        return step + 1 + (long) Math.ceil(Math.max(0, pace) * ahead);
    }

    /** Since its last report it went on for as long as it usually does from one to the next; longer, and it is busy with something else. */
    private static long byPace(Pace pace, double ahead, Instant now) {
        if (pace.rhythm().isEmpty() || pace.rhythm().get().step().isZero()) {
            return pace.step() + 1;
        }
        Rhythm rhythm = pace.rhythm().get();
        double since = Math.min(seconds(Duration.between(pace.at(), now)), seconds(rhythm.every()));
        return pace.step() + 1 + (long) Math.ceil((Math.max(0, since) + ahead) / seconds(rhythm.step()));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
