package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.PodSeen.ContainerState;
import dev.muster.backend.kubernetes.PodSeen.Note;
import dev.muster.model.Cause;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** What the state of a pod means for the attempt it is; pure. */
final class Observation {
    private static final String SIDECARS_IMAGE =
            "it is Muster's own container, not the job's: MUSTER_KUBERNETES_SIDECAR of the service names its image";

    private static final String JOBS_IMAGE =
            "correct environment.image, or name the secret of a private registry: kubernetes.imagePullSecrets";

    /** Why a container waits that only a change by its user can end. */
    private static final Set<String> IMAGE = Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull");

    /** A kubelet does not even ask a registry for it, and never will: a pod keeps the name it was made with. */
    private static final String NO_NAME = "InvalidImageName";

    private static final String SIDECARS_NAME =
            "correct MUSTER_KUBERNETES_SIDECAR of the service, which names the image of Muster's own container";

    private static final String JOBS_NAME =
            "correct environment.image: REGISTRY/NAME:TAG, the name in lower case and without blanks";

    /** A kubelet refused the pod when it came, as another had taken the room meanwhile. */
    private static final Set<String> NO_ROOM =
            Set.of("OutOfcpu", "OutOfmemory", "OutOfpods", "UnexpectedAdmissionError", "NodeAffinity", "NodePorts");

    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private Observation() {}

    /**
     * What became of the attempt.
     *
     * @param lostNodes nodes that are gone or do not answer
     * @param joined    whether its sign of having joined was seen
     * @param now       the time, for ends of which no other is known
     */
    static Seen of(PodSeen pod, Set<String> lostNodes, boolean joined, Instant now) {
        Optional<Seen.Vanished> noted = pod.annotation(Labels.OVER).flatMap(text -> noted(pod, text));
        if (noted.isPresent()) {
            return noted.get();
        }
        if (pod.main() instanceof ContainerState.Terminated over
                && !over.reason().equals("ContainerStatusUnknown")) {
            return terminated(pod, over, joined, now);
        }
        Optional<Seen.Vanished> over = over(pod, lostNodes);
        if (over.isPresent()) {
            return over.get();
        }
        boolean neverPlaced = pod.deleted().isPresent() && pod.node().isEmpty();
        if (pod.isOver() || pod.programIsOver() || neverPlaced) {
            return overWithoutCode(pod, now);
        }
        if (pod.programRuns() && pod.has(Labels.DELIVERED)) {
            return running(pod, joined);
        }
        return new Seen.Starting(hold(pod));
    }

    /** Why nothing of it runs, or ever will, though its containers do not say so: its node is lost, or an image has a name that is none. */
    private static Optional<Seen.Vanished> over(PodSeen pod, Set<String> lostNodes) {
        Optional<String> lost = pod.node().filter(lostNodes::contains);
        if (lost.isPresent()) {
            return Optional.of(new Seen.Vanished(
                    startedAt(pod), Cause.NODE_LOST, "its node " + lost.get() + " does not answer or is gone"));
        }
        return unnamed(pod.sidecar(), SIDECARS_NAME)
                .or(() -> unnamed(pod.main(), JOBS_NAME))
                .map(why -> new Seen.Vanished(Optional.empty(), Cause.IMAGE_MISSING, why));
    }

    /** The same as it is noted on the pod that is ended for it. */
    static Optional<String> note(PodSeen pod, Set<String> lostNodes) {
        return over(pod, lostNodes).map(over -> over.cause().name() + " " + over.message());
    }

    private static Optional<Seen.Vanished> noted(PodSeen pod, String text) {
        return Stream.of(Cause.NODE_LOST, Cause.IMAGE_MISSING)
                .filter(cause -> text.startsWith(cause.name() + " "))
                .map(cause -> new Seen.Vanished(
                        startedAt(pod), cause, text.substring(cause.name().length() + 1)))
                .findFirst();
    }

    private static Optional<String> unnamed(ContainerState container, String advice) {
        return container instanceof ContainerState.Waiting waiting
                        && waiting.reason().equals(NO_NAME)
                ? Optional.of(text(waiting) + " (" + advice + ")")
                : Optional.empty();
    }

    /** A kubelet that waits before it tries again says so, then what it said when it tried: one reason, and not two by turns. */
    private static String pull(String text) {
        return text.substring(Math.max(0, text.indexOf("ErrImagePull: ")));
    }

    private static String text(ContainerState.Waiting waiting) {
        return waiting.reason() + (waiting.message().isEmpty() ? "" : ": " + waiting.message());
    }

    /** What became of an attempt that was held ready and has become another: it ended with 0, once its log is fetched. */
    static Seen of(Held held, PodSeen pod) {
        return pod.has(Labels.WAS_TOLD)
                ? new Seen.Ended(0, false, Optional.of(held.startedAt()), held.takenAt(), Optional.empty())
                : new Seen.Running(OptionalLong.empty(), "", held.startedAt(), false);
    }

    private static Seen running(PodSeen pod, boolean joined) {
        return new Seen.Running(
                OptionalLong.empty(),
                pod.annotation(Labels.ADDRESS).orElse(""),
                startedAt(pod).orElseThrow(),
                joined);
    }

    /** The same before and after the end, and for every service that asks. */
    private static Optional<Instant> startedAt(PodSeen pod) {
        return pod.annotation(Labels.DELIVERED).map(Instant::parse);
    }

    private static Seen terminated(PodSeen pod, ContainerState.Terminated over, boolean joined, Instant now) {
        if (!pod.has(Labels.TOLD) && pod.sidecarRuns()) {
            // Its last words are still fetched, and an end is taken only with them.
            return pod.has(Labels.DELIVERED) ? running(pod, joined) : new Seen.Starting();
        }
        Optional<Ending> ending = Ending.parse(over.message());
        Instant endedAt = ending.map(Ending::endedAt).or(over::finishedAt).orElse(now);
        Optional<Instant> startedAt = pod.has(Labels.WAS)
                ? startedAt(pod)
                : ending.map(Ending::startedAt).orElse(pod.has(Labels.DELIVERED) ? over.startedAt() : Optional.empty());
        boolean takenAway = pod.has(Labels.STOP) && (over.code() == KILLED || over.code() == TERMINATED);
        if (ending.isEmpty()
                && !pod.has(Labels.DELIVERED)
                && !takenAway
                && !over.reason().equals("OOMKilled")) {
            return new Seen.Vanished(Optional.empty(), Cause.LAUNCH_FAILED, over.reason() + ": " + over.message());
        }
        Optional<Ended> foreign = foreignEnd(pod, endedAt);
        if (over.code() == 0 && foreign.isPresent()) {
            return new Seen.Vanished(
                    startedAt, foreign.get().cause(), foreign.get().message() + " before it was done; it ended with 0");
        }
        return new Seen.Ended(
                over.code(),
                over.reason().equals("OOMKilled"),
                OptionalLong.empty(),
                startedAt,
                endedAt,
                foreign.map(Ended::cause),
                ending.flatMap(Ending::message).or(() -> foreign.map(Ended::message)));
    }

    /** An end that others brought about. */
    private record Ended(Cause cause, String message) {}

    /** Who else than the program and Muster ended it, where the cluster tells. */
    private static Optional<Ended> foreignEnd(PodSeen pod, Instant endedAt) {
        if (pod.disruption().isPresent()) {
            Note note = pod.disruption().get();
            return Optional.of(new Ended(cause(note.reason()), note.reason() + ": " + note.message()));
        }
        if (pod.reason().isPresent() && !pod.has(Labels.STOP)) {
            return Optional.of(new Ended(cause(pod.reason().get()), note(pod)));
        }
        // Its time is that of a second's beginning, so it says little of what happened within that second.
        boolean deleted = !pod.annotation(Labels.TOLD).equals(Optional.of(Labels.TOLD_ALL))
                && pod.deleted().filter(at -> !at.isAfter(endedAt)).isPresent();
        return deleted && !pod.has(Labels.STOP)
                ? Optional.of(new Ended(Cause.KILLED, "somebody deleted its pod " + pod.name()))
                : Optional.empty();
    }

    private static String note(PodSeen pod) {
        return pod.reason().orElse("") + pod.message().map(text -> ": " + text).orElse("");
    }

    private static Cause cause(String reason) {
        return switch (reason) {
            case "PreemptionByScheduler",
                    "Preempting",
                    "EvictionByEvictionAPI",
                    "Evicted",
                    "TerminationByKubelet",
                    "Terminated" -> Cause.PREEMPTED;
            case "DeletionByTaintManager", "DeletionByPodGC", "NodeLost", "NodeShutdown", "Shutdown" -> Cause.NODE_LOST;
            default -> NO_ROOM.contains(reason) || Kueue.madeRoom(reason) ? Cause.PREEMPTED : Cause.KILLED;
        };
    }

    private static Seen overWithoutCode(PodSeen pod, Instant now) {
        if (pod.has(Labels.STOP)) {
            return new Seen.Ended(KILLED, false, startedAt(pod), pod.deleted().orElse(now), Optional.empty());
        }
        Optional<Ended> foreign = foreignEnd(pod, now);
        return foreign.map(ended -> new Seen.Vanished(startedAt(pod), ended.cause(), ended.message()))
                .orElseGet(() -> new Seen.Vanished(
                        startedAt(pod), "pod " + pod.name() + " is over and nobody knows how its program ended"));
    }

    private static Optional<Hold> hold(PodSeen pod) {
        if (pod.unscheduled().isPresent()) {
            return Optional.of(new Hold(Cause.UNSCHEDULABLE, pod.unscheduled().get()));
        }
        return hold(pod.sidecar(), SIDECARS_IMAGE).or(() -> hold(pod.main(), JOBS_IMAGE));
    }

    /** @param image whose it is and what can be done about it */
    private static Optional<Hold> hold(ContainerState container, String image) {
        if (!(container instanceof ContainerState.Waiting waiting)) {
            return Optional.empty();
        }
        if (IMAGE.contains(waiting.reason())) {
            return Optional.of(new Hold(Cause.IMAGE_MISSING, pull(text(waiting)) + " (" + image + ")"));
        }
        return waiting.message().isEmpty()
                ? Optional.empty()
                : Optional.of(new Hold(Cause.LAUNCH_FAILED, text(waiting)));
    }
}
