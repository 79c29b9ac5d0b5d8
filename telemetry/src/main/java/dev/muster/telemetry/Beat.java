package dev.muster.telemetry;

import dev.muster.spi.Telemetry.Rhythm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How long a step usually takes and how often one is told. Medians, so that a pause now and then (a validation, a checkpoint) does not
 * count. Several steps that are read at once are one report.
 */
final class Beat {
    private static final int MOST = 33;

    private final Deque<Interval> recent = new ArrayDeque<>();
    private Instant newestAt;
    private long newest;
    private Duration longest = Duration.ZERO;
    private long reports;

    private record Interval(Duration time, long steps) {
        Duration ofStep() {
            return time.dividedBy(steps);
        }
    }

    /** Takes a new step; one that is lower than before begins anew. */
    void step(Instant at, long step) {
        if (newestAt != null && step < newest) {
            recent.clear();
        } else if (newestAt != null && at.isAfter(newestAt)) {
            Interval interval = new Interval(Duration.between(newestAt, at), step - newest);
            recent.addLast(interval);
            if (recent.size() > MOST) {
                recent.removeFirst();
            }
            reports++;
            longest = interval.time().compareTo(longest) > 0 ? interval.time() : longest;
        }
        if (newestAt == null || step < newest || at.isAfter(newestAt)) {
            newestAt = at;
        }
        newest = step;
    }

    Optional<Rhythm> rhythm() {
        return recent.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rhythm(median(Interval::ofStep), median(Interval::time), longest, reports));
    }

    private Duration median(Function<Interval, Duration> time) {
        List<Duration> times = new ArrayList<>();
        recent.forEach(interval -> times.add(time.apply(interval)));
        times.sort(null);
        return times.get(times.size() / 2);
    }
}
