package dev.muster.cli.screen;

import dev.muster.api.EventDocument;
import dev.muster.cli.format.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long a job was in each of its phases, summed over restarts, from the times of its own events. */
public final class Phases {
    /** A wait that a person would not notice. */
    private static final Duration SHORT = Duration.ofMillis(500);

    private final Map<String, Duration> times = new LinkedHashMap<>();
    private Optional<EventDocument> last = Optional.empty();

    /** Takes the events of the job in order; those of processes are passed over. */
    public void add(EventDocument event) {
        if (!event.kind().equals("job")) {
            return;
        }
        if (last.isPresent()) {
            times.merge(phase(last.get().to()), Duration.between(last.get().at(), event.at()), Duration::plus);
        }
        last = Optional.of(event);
    }

    private static String phase(String state) {
        return switch (state) {
            case "Queued" -> "waiting";
            case "Admitted" -> "environment";
            case "Starting" -> "start";
            case "Running" -> "training";
            case "Restarting" -> "restarting";
            case "Stopping" -> "stopping";
            case "Suspended" -> "suspended";
            case "Publishing" -> "publishing";
            default -> state;
        };
    }

    /** Such as {@code environment 41 s, start 3.2 s, training 1m 44s, publishing 0.6 s}; empty when nothing is known. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        times.forEach((phase, time) -> {
            boolean usual = switch (phase) {
                case "environment", "start", "training", "publishing" -> true;
                default -> false;
            };
            if (usual || time.compareTo(SHORT) >= 0) {
                parts.add(phase + " " + Durations.show(time));
            }
        });
        return String.join(", ", parts);
    }
}
