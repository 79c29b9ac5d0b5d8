package dev.muster.control;

import dev.muster.control.decide.AutoBound;
import dev.muster.control.decide.Standby;
import dev.muster.control.decide.Straggler;
import dev.muster.control.decide.Unjoined;
import dev.muster.model.Attempt;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.LaunchPlan;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Sighting;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import dev.muster.spi.Telemetry.Signs;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How a group starts and goes on, as this service sees it; a job that another replica drives tells nothing here.
 *
 * @param paces     of the processes that report steps
 * @param straggler who holds the others up
 * @param warning   what a person should look at, though nothing is done about it
 */
public record Going(Map<ProcessName, Pace> paces, Optional<Straggler> straggler, Optional<String> warning) {
    public static final Going NOTHING = new Going(Map.of(), Optional.empty(), Optional.empty());

    public Going {
        paces = Map.copyOf(paces);
    }

    static Going of(
            JobRecord job,
            LaunchPlan plan,
            Signs signs,
            Map<ProcessKey, Double> wanted,
            Map<ProcessKey, Sighting.Seen> sightings,
            Instant now) {
        Optional<String> warning = trouble(job, sightings);
        if (job.state() != JobState.RUNNING) {
            return new Going(Map.of(), Optional.empty(), warning.or(() -> late(job, plan, sightings, now)));
        }
        Map<ProcessName, Pace> paces = new LinkedHashMap<>();
        Map<ProcessName, Double> cores = new LinkedHashMap<>();
        for (Attempt attempt : job.processes()) {
            ProcessKey key = attempt.key(job.id());
            boolean rank = !attempt.state().isOver()
                    && !job.spec().role(attempt.name().role()).sidecar();
            Optional<Pace> pace = Optional.ofNullable(signs.paces().get(key));
            if (rank && pace.isPresent()) {
                paces.put(attempt.name(), pace.get());
                warning = warning.or(() ->
                        silence(attempt.name(), pace.get(), signs.lastOutput().get(key), now));
            }
            if (rank && wanted.containsKey(key)) {
                cores.put(attempt.name(), wanted.get(key));
            }
        }
        return new Going(paces, Straggler.of(paces, cores), warning.or(() -> Standby.lacking(job, sightings)));
    }

    /** What the backend says of the first process that something is wrong with. */
    private static Optional<String> trouble(JobRecord job, Map<ProcessKey, Sighting.Seen> sightings) {
        return job.processes().stream()
                .filter(attempt -> !attempt.state().isOver())
                .flatMap(attempt -> Optional.ofNullable(sightings.get(attempt.key(job.id())))
                        .flatMap(Sighting.Seen::trouble)
                        .map(told -> attempt.name() + ": " + told)
                        .stream())
                .findFirst();
    }

    /** Where the job's own reason does not say already what keeps one of them, or for whom an elastic group waits. */
    private static Optional<String> late(
            JobRecord job, LaunchPlan plan, Map<ProcessKey, Sighting.Seen> sightings, Instant now) {
        boolean held = sightings.entrySet().stream()
                .filter(seen -> !job.spec().isStandby(seen.getKey().name().role()))
                .anyMatch(seen -> seen.getValue() instanceof Sighting.Seen.Starting starting
                        && starting.hold().isPresent());
        boolean told = job.status().reason().isPresent() && job.status().cause().isEmpty();
        return held || told ? Optional.empty() : Unjoined.of(job, plan, now);
    }

    private static Optional<String> silence(ProcessName name, Pace pace, Instant heard, Instant now) {
        Instant since = heard != null && heard.isAfter(pace.at()) ? heard : pace.at();
        Duration silent = Duration.between(since, now);
        boolean finished =
                pace.total().isPresent() && pace.step() >= pace.total().getAsLong();
        return pace.rhythm()
                .filter(rhythm -> !finished
                        && AutoBound.of(rhythm, 0)
                                .filter(bound -> silent.compareTo(bound) > 0)
                                .isPresent())
                .map(rhythm -> name + " has said nothing for " + silent.toMinutes() + " min; " + usual(rhythm));
    }

    private static String usual(Rhythm rhythm) {
        return String.format(
                Locale.ROOT,
                "it used to tell a step every %.1f s",
                rhythm.every().toNanos() / 1e9);
    }
}
