package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the API server tells of a pod, as far as Muster asks.
 *
 * @param name        its name
 * @param uid         its identity
 * @param key         the attempt it is
 * @param annotations of the pod
 * @param phase       Pending, Running, Succeeded, Failed or Unknown
 * @param reason      of the pod's state as a whole, such as Evicted
 * @param message     beside that reason
 * @param node        where it was put, once it was
 * @param address     its IP address, once it has one
 * @param deleted     when its deletion was asked for
 * @param unscheduled why it has no node, in the scheduler's words
 * @param disruption  reason and message of what the cluster did to it (condition DisruptionTarget)
 * @param main        the program's container
 * @param sidecar     Muster's container
 */
record PodSeen(
        String name,
        String uid,
        ProcessKey key,
        Map<String, String> annotations,
        String phase,
        Optional<String> reason,
        Optional<String> message,
        Optional<String> node,
        Optional<String> address,
        Optional<Instant> deleted,
        Optional<String> unscheduled,
        Optional<Note> disruption,
        ContainerState main,
        ContainerState sidecar)
        implements ObjectWatch.Seen {
    PodSeen {
        annotations = Map.copyOf(annotations);
    }

    /** A reason and what is said about it. */
    record Note(String reason, String message) {}

    /** What a container does. */
    sealed interface ContainerState {
        /** It was not started yet. */
        record Waiting(String reason, String message) implements ContainerState {}

        record Running(Instant startedAt) implements ContainerState {}

        /** It is over; the message is what it wrote to its termination log. */
        record Terminated(
                int code, String reason, String message, Optional<Instant> startedAt, Optional<Instant> finishedAt)
                implements ContainerState {}
    }

    @Override
    public JobId job() {
        return key.job();
    }

    Optional<String> annotation(String name) {
        return Optional.ofNullable(annotations.get(name));
    }

    boolean has(String annotation) {
        return annotations.containsKey(annotation);
    }

    /** Name of the container that runs the program. */
    String container() {
        return annotation(Labels.CONTAINER).orElse(Labels.MAIN);
    }

    /** Whether the pod as a whole is over, Muster's container included. */
    boolean isOver() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Whether its process is held ready to become an attempt, and is none yet. */
    boolean isHeldReady() {
        return has(Labels.READY) && !has(Labels.WAS);
    }

    /** What it was before it became the attempt that it is. */
    Optional<Held> was() {
        return annotation(Labels.WAS).flatMap(text -> Held.parse(job(), text));
    }

    boolean programRuns() {
        return main instanceof ContainerState.Running;
    }

    boolean programIsOver() {
        return main instanceof ContainerState.Terminated;
    }

    boolean sidecarRuns() {
        return sidecar instanceof ContainerState.Running;
    }

    /** The same with further annotations. */
    PodSeen with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(annotations);
        all.putAll(more);
        return as(key, all);
    }

    /** The same as the attempt that it was before. */
    PodSeen asBefore(Held held) {
        Map<String, String> all = new HashMap<>(annotations);
        all.keySet().removeAll(List.of(Labels.WAS, Labels.JOIN, Labels.CHIEF));
        return as(held.key(), all);
    }

    private PodSeen as(ProcessKey other, Map<String, String> all) {
        return new PodSeen(
                name,
                uid,
                other,
                all,
                phase,
                reason,
                message,
                node,
                address,
                deleted,
                unscheduled,
                disruption,
                main,
                sidecar);
    }

    /** The same with those annotations that it has not itself. */
    PodSeen withKept(Map<String, String> kept) {
        Map<String, String> all = new HashMap<>(kept);
        all.putAll(annotations);
        return with(all);
    }
}
