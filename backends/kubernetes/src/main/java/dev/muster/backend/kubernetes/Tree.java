package dev.muster.backend.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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

    /** JSON Merge Patch (RFC 7396): mappings are merged, everything else replaces, null removes. */
    static void merge(Map<String, Object> target, Map<?, ?> patch) {
        patch.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (value == null) {
                target.remove(name);
            } else if (value instanceof Map<?, ?> mapping) {
                if (!(target.get(name) instanceof Map)) {
                    target.put(name, new LinkedHashMap<>());
                }
                merge(inside(target, name), mapping);
            } else {
                target.put(name, value);
            }
        });
    }
}
