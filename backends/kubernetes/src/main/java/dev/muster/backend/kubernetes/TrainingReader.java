package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.TrainingSeen.Condition;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Takes from an object of the training operator what Muster asks; empty for one that is not ours. */
final class TrainingReader {
    /** For each of them the operator deletes all pods of an object. */
    private static final List<String> LIMITS = List.of("activeDeadlineSeconds", "backoffLimit");

    private TrainingReader() {}

    static Optional<TrainingSeen> read(TrainingKind kind, GenericKubernetesResource object) {
        ObjectMeta meta = object.getMetadata();
        Map<String, String> annotations =
                Optional.ofNullable(meta.getAnnotations()).orElse(Map.of());
        String job = Optional.ofNullable(meta.getLabels()).orElse(Map.of()).get(Labels.JOB);
        if (job == null || !annotations.containsKey(Labels.PROCESSES)) {
            return Optional.empty();
        }
        List<ProcessKey> members = new ArrayList<>();
        int attempt = Integer.parseInt(annotations.getOrDefault(Labels.ATTEMPT, "1"));
        for (String name : annotations.get(Labels.PROCESSES).split(",")) {
            ProcessName.parse(name).ifPresent(process -> members.add(new ProcessKey(new JobId(job), process, attempt)));
        }
        return Optional.of(new TrainingSeen(
                kind,
                meta.getName(),
                new JobId(job),
                members,
                OffsetDateTime.parse(meta.getCreationTimestamp()).toInstant(),
                meta.getDeletionTimestamp() != null,
                Boolean.TRUE.equals(object.<Object>get("spec", "runPolicy", "suspend")),
                LIMITS.stream()
                        .flatMap(limit -> Optional.ofNullable(object.<Object>get("spec", "runPolicy", limit))
                                .map(value -> limit + ": " + value)
                                .stream())
                        .findFirst(),
                conditions(object.<Object>get("status", "conditions"))));
    }

    private static List<Condition> conditions(Object given) {
        List<Condition> conditions = new ArrayList<>();
        if (given instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> fields) {
                    conditions.add(new Condition(
                            text(fields, "type"),
                            text(fields, "status").equals("True"),
                            text(fields, "reason"),
                            text(fields, "message")));
                }
            }
        }
        return conditions;
    }

    private static String text(Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        return value == null ? "" : value.toString();
    }
}
