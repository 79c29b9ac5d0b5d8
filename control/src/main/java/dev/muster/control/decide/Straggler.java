package dev.muster.control.decide;

import dev.muster.model.ProcessName;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The one process of a group that goes on which holds the others up. Where ranks train at their own pace, by the time of a step; where they
 * wait for each other all steps take the same, and it is the one that is busy while the others wait.
 *
 * @param reason what was measured
 */
public record Straggler(ProcessName process, String reason) {
    private static final int REPORTS = 5;
    private static final int SLOWER = 2;
    private static final double BUSY = 0.5;
    private static final double WAITING_SHARE = 0.6;

    /**
     * Finds it.
     *
     * @param paces of ranks
     * @param cores that ranks wanted of late
     */
    public static Optional<Straggler> of(Map<ProcessName, Pace> paces, Map<ProcessName, Double> cores) {
        return slowest(paces).or(() -> busiest(cores));
    }

    private static Optional<Straggler> slowest(Map<ProcessName, Pace> paces) {
        List<Map.Entry<ProcessName, Duration>> steps = new ArrayList<>();
        paces.forEach((name, pace) -> pace.rhythm()
                .filter(rhythm -> rhythm.reports() >= REPORTS)
                .map(Rhythm::step)
                .ifPresent(step -> steps.add(Map.entry(name, step))));
        if (steps.size() < 2) {
            return Optional.empty();
        }
        steps.sort(Map.Entry.comparingByValue());
        Map.Entry<ProcessName, Duration> last = steps.removeLast();
        Duration usual = steps.get(steps.size() / 2).getValue();
        return last.getValue().compareTo(usual.multipliedBy(SLOWER)) < 0
                ? Optional.empty()
                : Optional.of(new Straggler(
                        last.getKey(),
                        "it takes " + seconds(last.getValue()) + " a step, the others " + seconds(usual)));
    }

    private static Optional<Straggler> busiest(Map<ProcessName, Double> cores) {
        if (cores.size() < 2) {
            return Optional.empty();
        }
        List<Map.Entry<ProcessName, Double>> sorted = new ArrayList<>(cores.entrySet());
        sorted.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
        double most = sorted.get(0).getValue();
        double next = sorted.get(1).getValue();
        return most < BUSY || next > most * WAITING_SHARE
                ? Optional.empty()
                : Optional.of(new Straggler(
                        sorted.getFirst().getKey(),
                        String.format(
                                Locale.ROOT,
                                "it wanted %.1f cores of late, the others %.1f at most: they wait for it",
                                most,
                                next)));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, duration.toMillis() < 100 ? "%.3f s" : "%.1f s", duration.toNanos() / 1e9);
    }
}
