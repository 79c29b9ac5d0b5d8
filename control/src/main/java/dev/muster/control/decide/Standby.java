package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Processes that are held ready to take the place of lost ones. The backend hands a place to one of them when it starts a process; the one held
 * ready has then ended with 0, and another comes. They have no part in the group: nobody waits for them, their end is nobody's failure, and a
 * restart of the group leaves them as they are, for it is what they are there for. They are started while the group runs, so
 * that they take no core from its own start.
 */
public final class Standby {
    /** How long after one was lost another comes. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** How long a member of the group may lack room before those held ready give theirs: what the last attempt had is free within a moment. */
    private static final Duration ROOM = Duration.ofSeconds(5);

    /** After these another one would fare better. */
    private static final Set<Cause> CHANCE = EnumSet.of(Cause.KILLED, Cause.LOST, Cause.NODE_LOST, Cause.PREEMPTED);

    private Standby() {}

    static boolean is(Turn turn, Attempt attempt) {
        return turn.spec().isStandby(attempt.name().role());
    }

    /** Starts those that are lacking. */
    static void tend(Turn turn) {
        for (int index = 0; index < turn.processes().size(); index++) {
            Attempt attempt = turn.processes().get(index);
            if (is(turn, attempt)) {
                if (attempt.stopAsked().isPresent()) {
                    Stops.one(turn, index, turn.now);
                }
                tend(turn, index);
            }
        }
    }

    /**
     * A member of the group comes first: where the platform has no room for it, all who are held ready give theirs, whether they have it or wait for it. They
     * come again once the group runs.
     */
    static void makeRoom(Turn turn) {
        boolean lacking = StartingStep.hold(turn)
                        .filter(hold -> hold.cause() == Cause.UNSCHEDULABLE)
                        .isPresent()
                && turn.reached(turn.draft.admittedAt.orElse(turn.now), ROOM);
        for (int index = 0; index < turn.processes().size(); index++) {
            Attempt attempt = turn.processes().get(index);
            if (is(turn, attempt) && (lacking || attempt.stopAsked().isPresent())) {
                Stops.one(turn, index, turn.now);
            }
        }
    }

    /** What keeps one of them from being there, as its backend tells: the group goes on as well without, but its user may wonder. */
    public static Optional<String> lacking(JobRecord job, Map<ProcessKey, Seen> sightings) {
        return job.processes().stream()
                .filter(attempt -> job.spec().isStandby(attempt.name().role()))
                .filter(attempt -> !attempt.state().isOver())
                .flatMap(attempt -> hold(sightings.get(attempt.key(job.id())))
                        .map(hold -> attempt.name() + " cannot be held ready yet: "
                                + hold.cause().because(hold.message()))
                        .stream())
                .findFirst();
    }

    private static Optional<Hold> hold(Seen seen) {
        return seen instanceof Seen.Starting starting ? starting.hold() : Optional.empty();
    }

    private static void tend(Turn turn, int index) {
        Attempt attempt = turn.processes().get(index);
        if (attempt.state().isOver() && mayFollow(turn, attempt)) {
            turn.draft.process(index, Attempt.waiting(attempt.name(), attempt.attempt() + 1, turn.draft.attempt));
        } else if (attempt.state() == ProcessState.WAITING) {
            turn.draft.process(index, Attempts.inState(attempt, ProcessState.STARTING));
        } else if (turn.awaitsStart(attempt)
                && !turn.seen.done().refusedStarts().containsKey(turn.key(attempt))) {
            start(turn, attempt);
        }
    }

    /** One that failed by itself would fail again: it is tried again with the group only. */
    private static boolean mayFollow(Turn turn, Attempt attempt) {
        Attempt.Exit exit = attempt.exit().orElseThrow();
        boolean tried = exit.cause().isEmpty()
                || attempt.groupAttempt() < turn.draft.attempt
                || CHANCE.contains(exit.cause().get()) && turn.reached(exit.at(), PAUSE);
        // Its end is on record before the next attempt takes its place there.
        return tried && turn.gone(attempt) && turn.job().processes().contains(attempt);
    }

    /** A start that cannot be prepared is none: the group goes on as well without. */
    private static void start(Turn turn, Attempt attempt) {
        switch (turn.seen.preparation()) {
            case Preparation.Ready ready -> {
                if (turn.draft.placement.isPartOf(ready.placement())) {
                    Absorption.follow(turn, attempt);
                    turn.act(new Effect.StartProcess(turn.key(attempt)));
                }
            }
            case Preparation.Failed ignored -> {}
            case Preparation other -> AdmittedStep.prepare(turn);
        }
    }
}
