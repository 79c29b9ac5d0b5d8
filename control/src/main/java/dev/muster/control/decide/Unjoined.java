package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.LaunchPlan;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whom a group that is starting waits for. The sentence stays the same while the same are waited for. */
public final class Unjoined {
    /** A start that takes less is not spoken of. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private Unjoined() {}

    /** Names them, and since when they run; empty while nobody is late. */
    public static Optional<String> of(JobRecord job, LaunchPlan plan, Instant now) {
        Optional<Instant> admitted = job.times().admittedAt();
        if (job.state() != JobState.STARTING
                || admitted.isEmpty()
                || admitted.get().plus(USUAL).isAfter(now)) {
            return Optional.empty();
        }
        List<Attempt> members = job.processes().stream()
                .filter(attempt -> isAwaited(job, plan, attempt))
                .toList();
        List<Attempt> missing = members.stream()
                .filter(attempt -> !attempt.joined())
                .filter(attempt ->
                        attempt.startedAt().orElse(admitted.get()).plus(USUAL).isBefore(now))
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        running(missing).ifPresent(parts::add);
        part(missing.stream().filter(attempt -> attempt.state().isOver()).toList(), " has ended", " have ended")
                .map(who -> who + " without having joined")
                .ifPresent(parts::add);
        part(missing.stream().filter(Unjoined::isUnstarted).toList(), " is not started", " are not started")
                .ifPresent(parts::add);
        long joined = members.stream().filter(Attempt::joined).count();
        return Optional.of(String.join("; ", parts) + " (" + joined + " of " + members.size()
                + (joined == 1 ? " has" : " have") + " joined)");
    }

    private static boolean isAwaited(JobRecord job, LaunchPlan plan, Attempt attempt) {
        boolean helps = job.spec().role(attempt.name().role()).sidecar()
                && plan.process(attempt.name())
                        .filter(planned -> planned.essential())
                        .isEmpty();
        // Whom an elastic group does without is waiting, or has ended.
        boolean absent = attempt.state() == ProcessState.WAITING
                || attempt.state().isOver() && (job.spec().elastic().isPresent() || !Attempts.endedWell(attempt));
        return !helps && !absent && !job.spec().isStandby(attempt.name().role());
    }

    private static boolean isUnstarted(Attempt attempt) {
        return !attempt.state().isOver() && attempt.startedAt().isEmpty();
    }

    private static Optional<String> running(List<Attempt> missing) {
        List<Attempt> running = missing.stream()
                .filter(attempt -> !attempt.state().isOver() && !isUnstarted(attempt))
                .toList();
        Optional<Instant> since = running.stream()
                .flatMap(attempt -> attempt.startedAt().stream())
                .min(Instant::compareTo);
        return part(running, " runs since ", " run since ")
                .map(who -> who
                        + since.orElseThrow().truncatedTo(ChronoUnit.SECONDS)
                        + (running.size() == 1 ? " and has not joined" : " and have not joined"));
    }

    private static Optional<String> part(List<Attempt> some, String one, String several) {
        List<ProcessName> names = some.stream().map(Attempt::name).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(Names.of(names) + (names.size() == 1 ? one : several));
    }
}
