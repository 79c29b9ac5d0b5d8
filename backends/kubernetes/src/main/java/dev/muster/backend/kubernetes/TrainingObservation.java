package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.TrainingSeen.Condition;
import dev.muster.model.Cause;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the state of an operator's object means for those of its members that have no pod, and what it adds to the end of those that have one; pure.
 * What a program did is told by its pod alone.
 */
final class TrainingObservation {
    /** The operator makes pods within a second; one that does nothing for so long is not there. */
    private static final Duration UNNOTICED = Duration.ofSeconds(10);

    /** The code of a program that SIGTERM ended, as a kubelet ends those of a deleted pod. */
    private static final int TERMINATED = 143;

    private TrainingObservation() {}

    /**
     * A member without a pod.
     *
     * @param trouble what the operator last complained of about the object
     */
    static Seen withoutPod(TrainingSeen object, Optional<String> trouble, Instant now) {
        if (object.suspended() || object.condition("Suspended").isPresent()) {
            return new Seen.Vanished(Optional.empty(), Cause.PREEMPTED, suspended(object));
        }
        if (object.deleted()) {
            return new Seen.Vanished(Optional.empty(), Cause.KILLED, deleted(object));
        }
        Optional<Condition> over = object.condition("Failed").or(() -> object.condition("Succeeded"));
        if (over.isPresent()) {
            return new Seen.Vanished(
                    Optional.empty(),
                    Cause.LAUNCH_FAILED,
                    over.get().reason() + ": " + over.get().message());
        }
        return new Seen.Starting(hold(object, trouble, now));
    }

    private static String suspended(TrainingSeen object) {
        return "somebody suspended " + object.title();
    }

    private static String deleted(TrainingSeen object) {
        return "somebody deleted " + object.title();
    }

    private static Optional<Hold> hold(TrainingSeen object, Optional<String> trouble, Instant now) {
        if (trouble.isPresent()) {
            Cause cause = trouble.get().contains("exceeded quota") ? Cause.UNSCHEDULABLE : Cause.BACKEND_REFUSED;
            return Optional.of(new Hold(cause, trouble.get() + Failures.field(trouble.get())));
        }
        boolean noticed = object.condition("Created").isPresent();
        return noticed || now.isBefore(object.createdAt().plus(UNNOTICED))
                ? Optional.empty()
                : Optional.of(new Hold(
                        Cause.BACKEND_REFUSED,
                        "no training operator has taken " + object.title() + " up: is one running in the cluster?"));
    }

    /** What an object tells of the end of a member whose pod tells only that others brought it about. */
    record Word(Cause cause, String message) {}

    /** Whether the pod's end may be the shadow of what became of its object, which is then to be asked as it is now. */
    static boolean asksItsObject(PodSeen pod, Seen seen) {
        return switch (seen) {
            // Clocks of nodes differ, so a pod may seem to have ended before it was deleted.
            case Seen.Ended ended ->
                ended.cause().equals(Optional.of(Cause.KILLED))
                        || ended.code() == TERMINATED
                                && ended.cause().isEmpty()
                                && pod.deleted().isPresent()
                                && !pod.has(Labels.STOP);
            case Seen.Vanished vanished -> vanished.cause() == Cause.KILLED;
            case Seen.Starting starting -> false;
            case Seen.Running running -> false;
        };
    }

    /**
     * What the object tells of such an end.
     *
     * @param object empty where it is gone and nothing is known of it
     * @param name   its name
     */
    static Optional<Word> word(Optional<TrainingSeen> object, String name) {
        if (object.isEmpty()) {
            return Optional.of(new Word(Cause.KILLED, "somebody deleted the operator's object " + name));
        }
        TrainingSeen seen = object.get();
        if (seen.wasSuspended()) {
            return Optional.of(new Word(Cause.PREEMPTED, suspended(seen)));
        }
        if (seen.deleted()) {
            return Optional.of(new Word(Cause.KILLED, deleted(seen)));
        }
        // Without a limit an object is Failed because its pods are.
        return seen.limit()
                .flatMap(limit -> seen.condition("Failed")
                        .map(failed -> new Word(
                                Cause.KILLED,
                                failed.reason() + ": " + failed.message() + " (somebody gave it " + limit + ")")));
    }

    /** The end as the object tells it. */
    static Seen told(Seen seen, Word word) {
        return switch (seen) {
            case Seen.Ended ended ->
                new Seen.Ended(
                        ended.code(),
                        ended.outOfMemory(),
                        ended.pid(),
                        ended.startedAt(),
                        ended.endedAt(),
                        Optional.of(word.cause()),
                        Optional.of(word.message()));
            case Seen.Vanished vanished -> new Seen.Vanished(vanished.startedAt(), word.cause(), word.message());
            case Seen.Starting starting -> starting;
            case Seen.Running running -> running;
        };
    }
}
