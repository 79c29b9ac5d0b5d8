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

    private TrainingObservation() {}

    /**
     * A member without a pod.
     *
     * @param trouble what the operator last complained of about the object
     */
    static Seen withoutPod(TrainingSeen object, Optional<String> trouble, Instant now) {
        String name = object.kind().kind() + " " + object.name();
        if (object.suspended() || object.condition("Suspended").isPresent()) {
            return new Seen.Vanished(Optional.empty(), Cause.PREEMPTED, "somebody suspended " + name);
        }
        if (object.deleted()) {
            return new Seen.Vanished(Optional.empty(), Cause.KILLED, "somebody deleted " + name);
        }
        Optional<Condition> over = object.condition("Failed").or(() -> object.condition("Succeeded"));
        if (over.isPresent()) {
            return new Seen.Vanished(
                    Optional.empty(),
                    Cause.LAUNCH_FAILED,
                    over.get().reason() + ": " + over.get().message());
        }
        return new Seen.Starting(hold(object, name, trouble, now));
    }

    private static Optional<Hold> hold(TrainingSeen object, String name, Optional<String> trouble, Instant now) {
        if (trouble.isPresent()) {
            Cause cause = trouble.get().contains("exceeded quota") ? Cause.UNSCHEDULABLE : Cause.BACKEND_REFUSED;
            return Optional.of(new Hold(cause, trouble.get()));
        }
        boolean noticed = object.condition("Created").isPresent();
        return noticed || now.isBefore(object.createdAt().plus(UNNOTICED))
                ? Optional.empty()
                : Optional.of(new Hold(
                        Cause.BACKEND_REFUSED,
                        "no training operator has taken " + name + " up: is one running in the cluster?"));
    }

    /** The end of a member with a pod, where its object tells that it was others who brought it about. */
    static Seen withPod(Seen seen, Optional<TrainingSeen> object) {
        boolean suspended = object.filter(each -> each.suspended()).isPresent();
        if (!suspended) {
            return seen;
        }
        String message = "somebody suspended " + object.get().kind().kind() + " "
                + object.get().name();
        return switch (seen) {
            case Seen.Ended ended
            when ended.code() != 0 && ended.cause().equals(Optional.of(Cause.KILLED)) ->
                new Seen.Ended(
                        ended.code(),
                        ended.outOfMemory(),
                        ended.pid(),
                        ended.startedAt(),
                        ended.endedAt(),
                        Optional.of(Cause.PREEMPTED),
                        Optional.of(message));
            case Seen.Vanished vanished
            when vanished.cause() == Cause.KILLED -> new Seen.Vanished(vanished.startedAt(), Cause.PREEMPTED, message);
            case Seen.Ended ended -> ended;
            case Seen.Vanished vanished -> vanished;
            case Seen.Starting starting -> starting;
            case Seen.Running running -> running;
        };
    }
}
