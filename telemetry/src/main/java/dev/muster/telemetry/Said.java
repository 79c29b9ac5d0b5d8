package dev.muster.telemetry;

import dev.muster.model.Progress;
import dev.muster.spi.JobStore.Point;
import dev.muster.spi.Telemetry;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What one attempt has said so far. For one thread at a time. */
final class Said {
    private static final int MOST_METRICS = 256;
    private static final int MOST_CHECKPOINTS = 10_000;

    private boolean reported;
    private boolean stepReported;
    private long news;
    private Optional<Instant> lastOutput = Optional.empty();
    private OptionalLong step = OptionalLong.empty();
    private Optional<Instant> stepAt = Optional.empty();
    private OptionalLong total = OptionalLong.empty();
    private OptionalDouble epoch = OptionalDouble.empty();
    private OptionalLong badRecords = OptionalLong.empty();
    private final Map<String, Double> metrics = new TreeMap<>();
    private final Set<String> checkpoints = new LinkedHashSet<>();
    private final Pace pace = new Pace();
    private final Beat beat = new Beat();

    void output(Instant at) {
        lastOutput = Optional.of(at);
    }

    /**
     * Takes a report, which sets only what it carries; points get its step, or the last one. The step of a checkpoint is no progress:
     * it may be saved long after it was reached.
     */
    void report(Report report, Instant at, Consumer<Point> points) {
        reported = true;
        if (report.step().isPresent() && !report.ofCheckpoint()) {
            stepReported = true;
            step(report.step().getAsLong(), at);
        }
        passedOver(report);
        epoch = report.epoch().isPresent() ? report.epoch() : epoch;
        // Its last value is not its newest one any more.
        metrics.keySet().removeAll(report.withoutValue());
        report.metrics().forEach((name, value) -> metric(new Point(at, step.orElse(0), name, value), points));
    }

    /** Takes what later reports need not say again, so all that is taken of a report that a flood swept away. */
    void passedOver(Report report) {
        total = report.total().isPresent() ? report.total() : total;
        badRecords = report.badRecords().isPresent() ? report.badRecords() : badRecords;
        report.checkpoint().ifPresent(this::checkpoint);
    }

    /** Takes an event of a TensorBoard file. Its step counts only where no report names one. */
    void event(String prefix, TrainingEvent event, Instant at, Consumer<Point> points) {
        if (event.scalars().isEmpty()) {
            return;
        }
        reported = true;
        if (!stepReported && prefix.isEmpty() && event.step() >= step.orElse(0)) {
            step(event.step(), at);
        }
        Instant written = event.seconds() > 0 && event.seconds() < 1e11
                ? Instant.ofEpochMilli((long) (event.seconds() * 1000))
                : at;
        event.scalars()
                .forEach(scalar ->
                        metric(new Point(written, event.step(), prefix + scalar.tag(), scalar.value()), points));
    }

    private void step(long now, Instant at) {
        if (!step.equals(OptionalLong.of(now))) {
            step = OptionalLong.of(now);
            stepAt = Optional.of(at);
            beat.step(at, now);
        }
        pace.step(at, now);
    }

    /** How it goes on; empty while it has told no step. */
    Optional<Telemetry.Pace> pace() {
        return stepAt.map(at -> new Telemetry.Pace(step.getAsLong(), at, total, beat.rhythm()));
    }

    private void metric(Point point, Consumer<Point> points) {
        if (metrics.containsKey(point.metric()) || metrics.size() < MOST_METRICS) {
            metrics.put(point.metric(), point.value());
            points.accept(point);
        }
    }

    /** Grows with the first output, the first report and each checkpoint. */
    long news() {
        return news + (reported ? 1 : 0) + (lastOutput.isPresent() ? 1 : 0);
    }

    void checkpoint(String name) {
        news++;
        // Said again, it is the newest again.
        checkpoints.remove(name);
        checkpoints.add(name);
        if (checkpoints.size() > MOST_CHECKPOINTS) {
            checkpoints.remove(checkpoints.iterator().next());
        }
    }

    boolean reported() {
        return reported;
    }

    Optional<Instant> lastOutput() {
        return lastOutput;
    }

    Progress progress() {
        return new Progress(step, total, epoch, metrics, pace.secondsTo(total));
    }

    OptionalLong badRecords() {
        return badRecords;
    }

    Set<String> checkpoints() {
        return checkpoints;
    }

    /** Takes up what was known before the service was started anew. */
    void resume(SavedState state) {
        reported = state.reported;
        stepReported = state.stepReported;
        lastOutput = state.lastOutput;
        step = state.step;
        stepAt = state.step.isPresent() ? state.stepAt.or(() -> state.lastOutput) : Optional.empty();
        total = state.total;
        epoch = state.epoch;
        badRecords = state.badRecords;
        metrics.putAll(state.metrics);
        checkpoints.addAll(state.checkpoints);
    }

    void save(SavedState state) {
        state.reported = reported;
        state.stepReported = stepReported;
        state.lastOutput = lastOutput;
        state.step = step;
        state.stepAt = stepAt;
        state.total = total;
        state.epoch = epoch;
        state.badRecords = badRecords;
        state.metrics.putAll(metrics);
        state.checkpoints.addAll(checkpoints);
    }
}
