package dev.muster.backend.kubernetes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A mapping of an object's text, in the order it is written; what is absent is left out. */
final class Tree {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    Tree put(String name, Object value) {
        fields.put(name, value instanceof Tree tree ? tree.fields() : value);
        return this;
    }

    Tree put(String name, Optional<?> value) {
        value.ifPresent(present -> put(name, present));
        return this;
    }

    Map<String, Object> fields() {
        return fields;
    }

    /** The mapping of the name, made where there is none. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> inside(Map<String, Object> tree, String name) {
        return (Map<String, Object>) tree.computeIfAbsent(name, made -> new LinkedHashMap<>());
    }

    /**
     * JSON Merge Patch (RFC 7396): mappings are merged, everything else replaces, null removes. Only lists whose entries all have a name, as containers, volumes
     * and variables have, are merged by it, as Kubernetes' own strategic merge does: who patches a container must not lose the others.
     */
    static void merge(Map<String, Object> target, Map<?, ?> patch) {
        patch.forEach((key, value) -> {
            String name = String.valueOf(key);
            Object there = target.get(name);
            if (value == null) {
                target.remove(name);
            } else if (value instanceof Map<?, ?> mapping) {
                if (!(there instanceof Map)) {
                    target.put(name, new LinkedHashMap<>());
                }
                merge(inside(target, name), mapping);
            } else if (value instanceof List<?> entries
                    && there instanceof List<?> before
                    && areNamed(entries, before)) {
                target.put(name, merged(before, entries));
            } else {
                target.put(name, value);
            }
        });
    }

    private static boolean areNamed(List<?> entries, List<?> before) {
        return Stream.concat(entries.stream(), before.stream())
                .allMatch(each -> each instanceof Map<?, ?> mapping && mapping.get("name") instanceof String);
    }

    private static List<Object> merged(List<?> before, List<?> entries) {
        Map<Object, Map<String, Object>> merged = new LinkedHashMap<>();
        Stream.concat(before.stream(), entries.stream()).forEach(each -> {
            Map<?, ?> entry = (Map<?, ?>) each;
            merge(merged.computeIfAbsent(entry.get("name"), made -> new LinkedHashMap<>()), entry);
        });
        return new ArrayList<>(merged.values());
    }
}
