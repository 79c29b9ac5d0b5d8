package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One decision while it is being made: what is given, the draft of what is to be stored, and what is to be done. */
final class Turn {
    final Snapshot snapshot;
    final Observations seen;
    final Instant now;
    final Draft draft;
    private final Set<Effect> effects = new LinkedHashSet<>();
    private Optional<Instant> wakeAt = Optional.empty();

    Turn(Snapshot snapshot, Observations seen, Instant now) {
        this.snapshot = snapshot;
        this.seen = seen;
        this.now = now;
        this.draft = new Draft(snapshot.job(), now);
    }

    JobRecord job() {
        return snapshot.job();
    }

    JobSpec spec() {
        return draft.spec;
    }

    List<Attempt> processes() {
        return draft.processes;
    }

    ProcessKey key(Attempt attempt) {
        return attempt.key(job().id());
    }

    Optional<Seen> sighting(Attempt attempt) {
        return Optional.ofNullable(seen.sightings().get(key(attempt)));
    }

    /** What is wrong around a process that runs, as its backend tells. */
    Optional<String> trouble(Attempt attempt) {
        return sighting(attempt).flatMap(Seen::trouble);
    }

    /** The process in the launch plan; every process of a record is there. */
    ProcessPlan plan(Attempt attempt) {
        return snapshot.plan()
                .process(attempt.name())
                .orElseThrow(() -> new IllegalStateException("no plan for " + key(attempt)));
    }

    boolean sidecar(Attempt attempt) {
        return spec().role(attempt.name().role()).sidecar();
    }

    boolean parameterServer(Attempt attempt) {
        return attempt.name().role().equals(JobSpec.PARAMETER_SERVER) && !sidecar(attempt);
    }

    /** The attempts that have to be judged: failed ones that are no sidecar and that {@link Success} does not outweigh yet. */
    List<Attempt> failures() {
        return failures(processes());
    }

    boolean hadFailures() {
        return !failures(job().processes()).isEmpty();
    }

    private List<Attempt> failures(List<Attempt> attempts) {
        boolean open = Success.open(this, attempts);
        return attempts.stream()
                .filter(attempt -> Attempts.failed(attempt) && StartingStep.mustJoin(this, attempt))
                .filter(attempt -> !Elasticity.absent(this, attempt))
                .filter(attempt -> !open || parameterServer(attempt))
                .toList();
    }

    /** Whether something of the attempt runs, or may. */
    boolean alive(Attempt attempt) {
        return !attempt.state().isOver() && attempt.state() != ProcessState.WAITING;
    }

    boolean anyAlive() {
        return processes().stream().anyMatch(this::alive);
    }

    /** Whether its start is ordered and nothing of it was seen. */
    boolean awaitsStart(Attempt attempt) {
        return attempt.state() == ProcessState.STARTING
                && attempt.startedAt().isEmpty()
                && sighting(attempt).isEmpty();
    }

    /** Whether one of the group is; those held ready are not of it. */
    boolean groupAlive() {
        return processes().stream().anyMatch(attempt -> alive(attempt) && !Standby.is(this, attempt));
    }

    /** Whether an end is seen that is not on record yet, as its log is still being read. */
    boolean anyEndPending() {
        return processes().stream()
                .anyMatch(attempt -> alive(attempt)
                        && sighting(attempt)
                                .map(sighted -> !Strays.runs(sighted))
                                .orElse(false));
    }

    /** Whether nothing of the attempt is left and its log is read to the end. */
    boolean gone(Attempt attempt) {
        return attempt.state() == ProcessState.WAITING
                || attempt.state().isOver()
                        && seen.done().swept().contains(key(attempt))
                        && seen.done().findings().containsKey(key(attempt));
    }

    boolean allGone() {
        return processes().stream().allMatch(this::gone) && !Strays.any(this);
    }

    void act(Effect effect) {
        effects.add(effect);
    }

    void wake(Instant at) {
        if (wakeAt.isEmpty() || at.isBefore(wakeAt.get())) {
            wakeAt = Optional.of(at);
        }
    }

    /** Whether the moment has come; else asks to be woken then. */
    boolean reached(Instant at) {
        if (now.isBefore(at)) {
            wake(at);
            return false;
        }
        return true;
    }

    boolean reached(Instant from, Duration after) {
        return reached(from.plus(after));
    }

    JobState state() {
        return draft.state();
    }

    Decision decision() {
        return new Decision(draft.next(), draft.events(), List.copyOf(effects), wakeAt);
    }
}
