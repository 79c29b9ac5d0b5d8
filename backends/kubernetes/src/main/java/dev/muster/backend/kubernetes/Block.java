package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The {@code kubernetes:} block of a job text, whose keys are known to be legal.
 *
 * @param fields as given
 */
record Block(Map<String, Object> fields) {
    static Block of(JobSpec spec) {
        return new Block(spec.options().kubernetes().orElse(Map.of()));
    }

    Optional<String> text(String field) {
        return Optional.ofNullable(fields.get(field)).map(Object::toString);
    }

    Optional<Object> tree(String field) {
        return Optional.ofNullable(fields.get(field));
    }

    Map<?, ?> mapping(String field) {
        return fields.get(field) instanceof Map<?, ?> mapping ? mapping : Map.of();
    }

    List<?> list(String field) {
        return fields.get(field) instanceof List<?> list ? list : List.of();
    }

    /** Volumes, each a Kubernetes volume with {@code mountPath} and, where wanted, {@code subPath} and {@code readOnly} beside it. */
    Stream<Map<?, ?>> volumes() {
        return list("volumes").stream()
                .flatMap(each -> each instanceof Map<?, ?> volume ? Stream.of(volume) : Stream.of());
    }
}
