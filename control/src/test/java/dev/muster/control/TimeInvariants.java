package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessName;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must hold of deadlines and of the window in which exits are settled, told from events and not from the times in the record: no bound ends a
 * job before it has passed, none is forgotten once nothing goes wrong any more, and nobody is judged while a peer may still tell more.
 */
final class TimeInvariants {
    /** By when a service that nothing goes wrong for has seen that a bound has passed: its longest back-off, and more. */
    private static final Duration SLACK = Duration.ofSeconds(20);

    private static final Set<Cause> OF_EXITS =
            EnumSet.of(Cause.USER_ERROR, Cause.KILLED, Cause.OUT_OF_MEMORY, Cause.LOST, Cause.NODE_LOST);
    private static final Set<Cause> OUTRANKING =
            EnumSet.of(Cause.KILLED, Cause.OUT_OF_MEMORY, Cause.LOST, Cause.NODE_LOST);
    private static final Set<String> STANDING = Set.of("Queued", "Suspended");

    private final World world;
    private final Map<JobId, Life> lives = new HashMap<>();
    private Instant lastTrouble;

    /** What has happened to one job. */
    private static final class Life {
        Instant queuedAt;
        Instant admittedAt;
        int admissions;
        /** Since it was admitted first, while it neither waited nor was suspended: at least what counts for its deadline. */
        final Stretch admitted = new Stretch();
        /** Since a process of it was first seen running: at most what counts. */
        final Stretch running = new Stretch();

        final Map<ProcessName, String> states = new HashMap<>();
        final Map<ProcessName, Cause> failed = new HashMap<>();
        Optional<Instant> firstFailure = Optional.empty();
    }

    /** Time that has passed, with pauses. */
    private static final class Stretch {
        private Duration passed = Duration.ZERO;
        private boolean begun;
        private Optional<Instant> since = Optional.empty();

        void go(Instant at) {
            begun = true;
            since = since.or(() -> Optional.of(at));
        }

        void goOn(Instant at) {
            if (begun) {
                go(at);
            }
        }

        void pause(Instant at) {
            passed = at(at);
            since = Optional.empty();
        }

        boolean goesOnSince(Instant at) {
            return since.filter(begin -> !begin.isAfter(at)).isPresent();
        }

        Duration at(Instant now) {
            return since.isPresent() ? passed.plus(Duration.between(since.get(), now)) : passed;
        }
    }

    TimeInvariants(World world) {
        this.world = world;
        this.lastTrouble = world.clock.now();
    }

    /** Something went wrong until then, or a service was not there. */
    void troubleUntil(Instant at) {
        lastTrouble = lastTrouble.isBefore(at) ? at : lastTrouble;
    }

    /** Something has happened to the job or to one of its processes, in the order of events. */
    void happened(JobRecord job, Event event) {
        Life life = lives.computeIfAbsent(job.id(), id -> new Life());
        if (event.process().isPresent()) {
            ofProcess(job, life, event, event.process().get());
            return;
        }
        boolean moved = !event.from().equals(Optional.of(event.to()));
        if (moved) {
            judged(job, life, event);
        }
        notTooEarly(job, life, event);
        if (moved && event.to().equals("Queued")) {
            life.queuedAt = event.at();
        }
        if (moved && event.to().equals("Admitted")) {
            life.admittedAt = event.at();
            life.admissions++;
            life.admitted.go(event.at());
            life.running.goOn(event.at());
            life.states.clear();
            life.failed.clear();
            life.firstFailure = Optional.empty();
        }
        if (STANDING.contains(event.to())) {
            life.admitted.pause(event.at());
            life.running.pause(event.at());
        }
    }

    private static void ofProcess(JobRecord job, Life life, Event event, ProcessName name) {
        if (job.spec().isStandby(name.role())) {
            return; // held ready it tells nothing about the gang
        }
        if (job.spec().isStandby(name.role())) {
            return; // held ready, and no part of the group
        }
        life.states.put(name, event.to());
        if (event.to().equals("Running")) {
            life.running.go(event.at());
        }
        boolean over = event.to().equals("Exited") || event.to().equals("Lost");
        if (over && event.cause().isPresent() && !job.spec().role(name.role()).sidecar()) {
            life.failed.put(name, event.cause().get());
            life.firstFailure = life.firstFailure.or(() -> Optional.of(event.at()));
        }
    }

    private static void notTooEarly(JobRecord job, Life life, Event event) {
        String reason = event.reason().orElse("");
        var limits = job.spec().limits();
        if (event.to().equals("Failed") && reason.contains("than queueDeadline")) {
            isOver(job, Duration.between(life.queuedAt, event.at()), limits.queueDeadline(), "queueDeadline");
        }
        if (event.to().equals("Stopping") && reason.contains("ran longer than deadline")) {
            isOver(job, life.admitted.at(event.at()), limits.deadline(), "deadline");
        }
        if (event.to().equals("Stopping") && reason.contains("within startDeadline")) {
            isOver(
                    job,
                    Duration.between(life.admittedAt, event.at()),
                    Optional.of(limits.startDeadline()),
                    "startDeadline");
        }
    }

    private static void isOver(JobRecord job, Duration passed, Optional<Duration> bound, String what) {
        assertThat(passed).as("%s of %s is over", what, job.id()).isGreaterThanOrEqualTo(bound.orElseThrow());
    }

    /** A failure of a gang without rules of its own is judged. */
    private void judged(JobRecord job, Life life, Event event) {
        boolean ofExit = event.cause().filter(OF_EXITS::contains).isPresent()
                && (event.to().equals("Restarting") || event.to().equals("Stopping"));
        if (!ofExit || life.firstFailure.isEmpty() || !isPlainGang(job)) {
            return;
        }
        Duration window = world.backend.settleWindow();
        boolean mayTellMore =
                life.states.values().stream().anyMatch(state -> state.equals("Running") || state.equals("Stopping"));
        if (mayTellMore) {
            assertThat(Duration.between(life.firstFailure.get(), event.at()))
                    .as("%s is judged while peers run: %s", job.id(), life.states)
                    .isGreaterThanOrEqualTo(window);
        }
        if (event.cause().equals(Optional.of(Cause.USER_ERROR))) {
            assertThat(outranking(job, life, window))
                    .as("%s is judged by %s", job.id(), event.reason())
                    .isEmpty();
        }
    }

    /** Who failed within the window of the first one, of what is nobody's fault in the group. */
    private Optional<ProcessName> outranking(JobRecord job, Life life, Duration window) {
        Map<ProcessName, Instant> ends = new HashMap<>();
        for (Attempt attempt : world.store.attempts(job.id(), Optional.empty())) {
            if (attempt.groupAttempt() == life.admissions && life.failed.containsKey(attempt.name())) {
                attempt.exit().ifPresent(exit -> ends.put(attempt.name(), exit.at()));
            }
        }
        Instant first = ends.values().stream().min(Instant::compareTo).orElse(Instant.MAX);
        return ends.keySet().stream()
                .filter(name -> OUTRANKING.contains(life.failed.get(name)))
                .filter(name -> !ends.get(name).isAfter(first.plus(window)))
                .findFirst();
    }

    private static boolean isPlainGang(JobRecord job) {
        return job.spec().restart().rules().isEmpty()
                && job.spec().elastic().isEmpty()
                && !job.spec().roles().containsKey("ps");
    }

    /** No bound is forgotten. */
    void check(JobRecord job) {
        Instant now = world.clock.now();
        if (now.isBefore(lastTrouble.plus(SLACK)) || job.state().isFinal()) {
            return;
        }
        Life life = lives.get(job.id());
        var limits = job.spec().limits();
        switch (job.state()) {
            case QUEUED ->
                limits.queueDeadline()
                        .ifPresent(bound -> isNotLongOver(job, Duration.between(life.queuedAt, now), bound));
            case ADMITTED, STARTING -> {
                isNotLongOver(job, Duration.between(life.admittedAt, now), limits.startDeadline());
                training(job, life, now);
            }
            case RUNNING, RESTARTING -> training(job, life, now);
            case STOPPING, PUBLISHING, SUSPENDED, SUCCEEDED, FAILED, CANCELLED -> {}
        }
    }

    /** Whoever waited, with a deadline that had passed without anybody looking, is admitted and only then ended. */
    private static void training(JobRecord job, Life life, Instant now) {
        if (!life.running.goesOnSince(now.minus(SLACK))) {
            return;
        }
        job.spec().limits().deadline().ifPresent(bound -> isNotLongOver(job, life.running.at(now), bound));
    }

    private static void isNotLongOver(JobRecord job, Duration passed, Duration bound) {
        assertThat(passed)
                .as("time of %s, which is %s, against its bound", job.id(), job.state())
                .isLessThan(bound.plus(SLACK));
    }
}
