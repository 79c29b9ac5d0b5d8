package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.Telemetry.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who keeps a group from going on: the first of these that is seen. One that its backend says something is wrong around; a process that is stopped or waits for a device; a rank that is behind
 * in steps; the only one that wants a core; bytes a peer does not take; a rank that is elsewhere in the code than the others; one that sleeps or waits for no peer
 * while the others wait for theirs; all waiting for each other; who has been silent longest; what the only one does that is there.
 */
final class Suspects {
    private static final double BUSY = 0.5;
    private static final double IDLE_SHARE = 0.25;
    private static final Duration MUCH_LONGER = Duration.ofSeconds(5);

    private final Turn turn;
    private final Map<ProcessName, Evidence> evidence = new LinkedHashMap<>();
    private final List<Attempt> living;

    private Suspects(Turn turn, Map<ProcessKey, Evidence> gathered) {
        this.turn = turn;
        this.living = turn.processes().stream()
                .filter(attempt -> turn.alive(attempt) && !turn.sidecar(attempt))
                .toList();
        living.forEach(attempt -> {
            Evidence of = gathered.getOrDefault(turn.key(attempt), Evidence.NONE);
            if (!of.processes().isEmpty()) {
                evidence.put(attempt.name(), of);
            }
        });
    }

    /** One sentence about the suspect; empty where nothing points at anybody. */
    static Optional<String> of(Turn turn, Map<ProcessKey, Evidence> gathered) {
        Suspects suspects = new Suspects(turn, gathered);
        return suspects.troubled()
                .or(suspects::stopped)
                .or(suspects::atDevice)
                .or(suspects::behind)
                .or(suspects::busy)
                .or(() -> Untaken.sentence(suspects.evidence))
                .or(() -> Places.sentence(suspects.evidence))
                .or(suspects::apart)
                .or(suspects::waiting)
                .or(suspects::silent)
                .or(suspects::alone);
    }

    private Optional<String> troubled() {
        return living.stream()
                .flatMap(attempt -> turn.trouble(attempt).map(told -> attempt.name() + ": " + told).stream())
                .findFirst();
    }

    private Optional<String> stopped() {
        return named(having(doing -> doing.state() == 'T' || doing.state() == 't'))
                .map(names -> names + " stopped by a signal (state T)");
    }

    private Optional<String> atDevice() {
        List<ProcessName> names = having(doing -> doing.state() == 'D');
        String place = names.stream()
                .flatMap(name -> evidence.get(name).processes().stream())
                .filter(doing -> doing.state() == 'D')
                .flatMap(doing -> doing.waitsIn().stream())
                .findFirst()
                .map(where -> ", in " + where)
                .orElse("");
        return named(names).map(who -> who + " waiting for a disk or a device (state D" + place + ")");
    }

    private Optional<String> behind() {
        Map<ProcessName, Long> steps = new LinkedHashMap<>();
        living.forEach(attempt -> {
            Pace pace = turn.seen.signs().paces().get(turn.key(attempt));
            if (pace != null) {
                steps.put(attempt.name(), pace.step());
            }
        });
        long least = steps.values().stream().mapToLong(Long::longValue).min().orElse(0);
        List<ProcessName> last = keys(steps, step -> step == least);
        List<ProcessName> others = keys(steps, step -> step > least);
        if (others.isEmpty()) {
            return Optional.empty();
        }
        String theirs = others.stream()
                .map(steps::get)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return named(last).map(who -> who + " at step " + least + ", the others at " + theirs);
    }

    private Optional<String> busy() {
        Map<ProcessName, Double> cores = new LinkedHashMap<>();
        evidence.forEach((name, of) -> cores.put(name, of.cores()));
        List<ProcessName> busy = keys(cores, wanted -> wanted >= BUSY);
        if (busy.size() != 1 || cores.size() < 2) {
            return Optional.empty();
        }
        double most = cores.get(busy.getFirst());
        boolean othersWait = keys(cores, wanted -> wanted > most * IDLE_SHARE).size() == 1;
        return othersWait
                ? Optional.of(busy.getFirst() + " uses " + cores(most) + " while the others wait for it"
                        + Places.of(evidence.get(busy.getFirst()))
                                .map(place -> "; it is in " + place)
                                .orElse(""))
                : Optional.empty();
    }

    /** Those without rank, as an evaluator, may sleep while the others train. */
    private Optional<String> apart() {
        Map<ProcessName, Evidence> ranks = new LinkedHashMap<>();
        living.stream()
                .filter(attempt -> turn.plan(attempt).rank().isPresent() && evidence.containsKey(attempt.name()))
                .forEach(attempt -> ranks.put(attempt.name(), evidence.get(attempt.name())));
        return Waits.sentence(ranks);
    }

    private Optional<String> waiting() {
        boolean connected = evidence.size() > 1
                && evidence.size() == living.size()
                && evidence.values().stream().noneMatch(of -> of.links().isEmpty());
        boolean idle = evidence.values().stream().allMatch(of -> of.cores() < BUSY);
        return connected && idle
                ? Optional.of(
                        Names.of(List.copyOf(evidence.keySet())) + " wait for each other (connected, nothing to send)")
                : Optional.empty();
    }

    private Optional<String> silent() {
        Map<ProcessName, Instant> heard = new LinkedHashMap<>();
        living.forEach(attempt -> {
            Instant at = turn.seen.signs().lastOutput().get(turn.key(attempt));
            if (at != null) {
                heard.put(attempt.name(), at);
            }
        });
        List<Instant> times = heard.values().stream().sorted().toList();
        if (times.size() < 2 || Duration.between(times.get(0), times.get(1)).compareTo(MUCH_LONGER) < 0) {
            return Optional.empty();
        }
        return named(keys(heard, at -> at.equals(times.getFirst())))
                .map(who -> who + " silent longest, for "
                        + Durations.text(Duration.ofSeconds(
                                Duration.between(times.getFirst(), turn.now).toSeconds())));
    }

    /** There is nobody to hold it against: what it does is what is known. */
    private Optional<String> alone() {
        if (living.size() != 1) {
            return Optional.empty();
        }
        ProcessName name = living.getFirst().name();
        boolean othersEnded =
                turn.processes().stream().anyMatch(attempt -> Attempts.endedWell(attempt) && !turn.sidecar(attempt));
        return Optional.ofNullable(evidence.get(name))
                .flatMap(Suspects::deed)
                .map(deed -> othersEnded ? "the others have ended, " + name + " " + deed : name + " " + deed)
                .or(() -> othersEnded ? Optional.of("the others have ended, but not " + name) : Optional.empty());
    }

    private static Optional<String> deed(Evidence of) {
        Optional<String> place =
                Places.of(of).or(() -> of.processes().getFirst().waitsIn());
        return of.cores() >= BUSY
                ? Optional.of("uses " + cores(of.cores())
                        + Places.of(of).map(where -> " in " + where).orElse(""))
                : place.map(where -> "waits in " + where);
    }

    private static String cores(double wanted) {
        return String.format(Locale.ROOT, "%.1f cores", wanted);
    }

    private List<ProcessName> having(Predicate<Doing> wanted) {
        return keys(evidence, of -> of.processes().stream().anyMatch(wanted));
    }

    private static <T> List<ProcessName> keys(Map<ProcessName, T> from, Predicate<T> wanted) {
        List<ProcessName> found = new ArrayList<>();
        from.forEach((name, value) -> Stream.of(value).filter(wanted).forEach(kept -> found.add(name)));
        return found;
    }

    /** The names with their verb. */
    private static Optional<String> named(List<ProcessName> names) {
        return names.isEmpty() ? Optional.empty() : Optional.of(Names.of(names) + (names.size() == 1 ? " is" : " are"));
    }
}
