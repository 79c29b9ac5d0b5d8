package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.PodSeen.ContainerState;
import dev.muster.backend.kubernetes.PodSeen.Note;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Takes from a pod of the client library what Muster asks; empty for a pod that is not one of ours. */
final class PodReader {
    private PodReader() {}

    static Optional<PodSeen> read(Pod pod) {
        ObjectMeta meta = pod.getMetadata();
        Map<String, String> annotations = OperatorPods.annotations(meta);
        return key(meta, annotations).map(key -> read(pod, key, annotations));
    }

    private static Optional<ProcessKey> key(ObjectMeta meta, Map<String, String> annotations) {
        try {
            String job = Optional.ofNullable(meta.getLabels()).orElse(Map.of()).get(Labels.JOB);
            Optional<ProcessName> name = ProcessName.parse(annotations.getOrDefault(Labels.PROCESS, ""));
            return job == null || name.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ProcessKey(
                            new JobId(job), name.get(), Integer.parseInt(annotations.get(Labels.ATTEMPT))));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    private static PodSeen read(Pod pod, ProcessKey key, Map<String, String> annotations) {
        ObjectMeta meta = pod.getMetadata();
        PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
        return new PodSeen(
                meta.getName(),
                meta.getUid(),
                key,
                annotations,
                Optional.ofNullable(status.getPhase()).orElse("Pending"),
                Optional.ofNullable(status.getReason()),
                Optional.ofNullable(status.getMessage()),
                Optional.ofNullable(pod.getSpec().getNodeName()),
                Optional.ofNullable(status.getPodIP()),
                time(meta.getDeletionTimestamp())
                        // It tells the end of the grace time.
                        .map(at -> at.minusSeconds(Optional.ofNullable(meta.getDeletionGracePeriodSeconds())
                                .orElse(0L))),
                condition(status, "PodScheduled", "False").map(each -> said(each, pod)),
                condition(status, "DisruptionTarget", "True")
                        .or(() -> condition(status, "TerminationTarget", "True"))
                        .map(each -> new Note(
                                each.getReason(),
                                Optional.ofNullable(each.getMessage()).orElse(""))),
                container(status.getContainerStatuses(), annotations.getOrDefault(Labels.CONTAINER, Labels.MAIN)),
                container(status.getInitContainerStatuses(), Labels.SIDECAR));
    }

    private static String said(PodCondition condition, Pod pod) {
        if ("SchedulingGated".equals(condition.getReason())) {
            return Kueue.waits(pod)
                    .orElseGet(() -> "waits until its scheduling gates are taken away: "
                            + pod.getSpec().getSchedulingGates().stream()
                                    .map(PodSchedulingGate::getName)
                                    .collect(Collectors.joining(", ")));
        }
        return Optional.ofNullable(condition.getMessage()).orElse(String.valueOf(condition.getReason()));
    }

    private static Optional<PodCondition> condition(PodStatus status, String type, String value) {
        return status.getConditions().stream()
                .filter(each -> each.getType().equals(type) && each.getStatus().equals(value))
                .findFirst();
    }

    private static ContainerState container(List<ContainerStatus> statuses, String name) {
        return statuses.stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .map(PodReader::state)
                .orElseGet(() -> new ContainerState.Waiting("", ""));
    }

    private static ContainerState state(ContainerStatus status) {
        var state = status.getState();
        if (state != null && state.getTerminated() != null) {
            var over = state.getTerminated();
            return new ContainerState.Terminated(
                    over.getExitCode(),
                    text(over.getReason()),
                    text(over.getMessage()),
                    time(over.getStartedAt()),
                    time(over.getFinishedAt()));
        }
        if (state != null && state.getRunning() != null) {
            return new ContainerState.Running(
                    time(state.getRunning().getStartedAt()).orElse(Instant.EPOCH));
        }
        if (state != null && state.getWaiting() != null) {
            return new ContainerState.Waiting(
                    text(state.getWaiting().getReason()),
                    text(state.getWaiting().getMessage()));
        }
        return new ContainerState.Waiting("", "");
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }

    private static Optional<Instant> time(String text) {
        return text == null || text.isEmpty()
                ? Optional.empty()
                : Optional.of(OffsetDateTime.parse(text).toInstant());
    }
}
