package dev.muster.server;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a new description of the API takes from clients of an older one. More paths, parameters, fields of answers and values are no
 * change to them; they pass over what they do not know.
 */
final class OpenApiChanges {
    private final OpenApi before;
    private final OpenApi after;
    private final List<String> breaking = new ArrayList<>();
    private final Set<String> compared = new HashSet<>();

    private OpenApiChanges(OpenApi before, OpenApi after) {
        this.before = before;
        this.after = after;
    }

    /** Everything that breaks a client; empty when nothing does. */
    static List<String> breaking(OpenApi before, OpenApi after) {
        OpenApiChanges changes = new OpenApiChanges(before, after);
        changes.paths();
        return changes.breaking;
    }

    private void paths() {
        Map<?, ?> paths = map(after.document(), "paths");
        map(before.document(), "paths").forEach((path, item) -> {
            if (!(paths.get(path) instanceof Map<?, ?> now)) {
                breaking.add(path + " is gone");
                return;
            }
            ((Map<?, ?>) item).forEach((method, operation) -> {
                if (method.equals("parameters")) {
                    return;
                }
                String at = method + " " + path;
                if (now.get(method) instanceof Map<?, ?> operationNow) {
                    parameters(
                            at,
                            parameters(before, (Map<?, ?>) item, (Map<?, ?>) operation),
                            parameters(after, now, operationNow));
                    body(
                            at,
                            before.resolve(map((Map<?, ?>) operation, "requestBody")),
                            after.resolve(map(operationNow, "requestBody")));
                    responses(at, map((Map<?, ?>) operation, "responses"), map(operationNow, "responses"));
                } else {
                    breaking.add(at + " is gone");
                }
            });
        });
    }

    private static Map<String, Map<?, ?>> parameters(OpenApi api, Map<?, ?> item, Map<?, ?> operation) {
        Map<String, Map<?, ?>> parameters = new LinkedHashMap<>();
        for (Map<?, ?> holder : List.of(item, operation)) {
            if (holder.get("parameters") instanceof List<?> list) {
                list.forEach(each -> {
                    Map<?, ?> parameter = api.resolve((Map<?, ?>) each);
                    parameters.put(parameter.get("in") + " " + parameter.get("name"), parameter);
                });
            }
        }
        return parameters;
    }

    private void parameters(String at, Map<String, Map<?, ?>> old, Map<String, Map<?, ?>> now) {
        old.forEach((name, parameter) -> {
            if (now.containsKey(name)) {
                schema(at + " " + name, map(parameter, "schema"), map(now.get(name), "schema"), true);
            } else {
                breaking.add(at + " has no parameter " + name + " any more");
            }
        });
        now.forEach((name, parameter) -> {
            boolean required = Boolean.TRUE.equals(parameter.get("required"));
            boolean before =
                    old.containsKey(name) && Boolean.TRUE.equals(old.get(name).get("required"));
            if (required && !before) {
                breaking.add(at + " needs parameter " + name);
            }
        });
    }

    private void body(String at, Map<?, ?> old, Map<?, ?> now) {
        if (Boolean.TRUE.equals(now.get("required")) && !Boolean.TRUE.equals(old.get("required"))) {
            breaking.add(at + " needs a body");
        }
        content(at + " request", map(old, "content"), map(now, "content"), true);
    }

    private void responses(String at, Map<?, ?> old, Map<?, ?> now) {
        old.forEach((status, response) -> {
            if (now.get(status) instanceof Map<?, ?> responseNow) {
                content(
                        at + " " + status,
                        map(before.resolve((Map<?, ?>) response), "content"),
                        map(after.resolve(responseNow), "content"),
                        false);
            } else {
                breaking.add(at + " does not answer " + status + " any more");
            }
        });
    }

    private void content(String at, Map<?, ?> old, Map<?, ?> now, boolean request) {
        old.forEach((type, media) -> {
            if (now.get(type) instanceof Map<?, ?> mediaNow) {
                schema(at, map((Map<?, ?>) media, "schema"), map(mediaNow, "schema"), request);
            } else {
                breaking.add(at + " has no " + type + " any more");
            }
        });
    }

    private void schema(String at, Map<?, ?> writtenOld, Map<?, ?> writtenNow, boolean request) {
        // Schemas that are used again and again, and in themselves, are compared once for each direction.
        if (writtenOld.get("$ref") instanceof String name && !compared.add(name + " " + writtenNow + " " + request)) {
            return;
        }
        Map<?, ?> old = before.resolve(writtenOld);
        Map<?, ?> now = after.resolve(writtenNow);
        List<?> types = list(old, "type");
        List<?> typesNow = list(now, "type");
        boolean narrower = request && !typesNow.isEmpty() && !typesNow.containsAll(types);
        boolean other = !request && types.stream().noneMatch(typesNow::contains) && !types.equals(typesNow);
        if (narrower || other) {
            breaking.add(at + " is " + typesNow + ", was " + types);
        }
        if (!list(now, "enum").containsAll(list(old, "enum"))
                && !list(now, "enum").isEmpty()) {
            breaking.add(at + " has lost values of " + list(old, "enum"));
        }
        if (request && !Objects.equals(old.get("pattern"), now.get("pattern")) && now.get("pattern") != null) {
            breaking.add(at + " has another pattern");
        }
        if (request) {
            bound(at, "maxLength", old, now, -1);
            bound(at, "maximum", old, now, -1);
            bound(at, "minLength", old, now, 1);
            bound(at, "minimum", old, now, 1);
        }
        fields(at, old, now, request);
        if (old.get("items") instanceof Map<?, ?> items && now.get("items") instanceof Map<?, ?> itemsNow) {
            schema(at + "[]", items, itemsNow, request);
        }
    }

    /** @param sign 1 when a greater value takes something away, -1 when a smaller one does */
    private void bound(String at, String keyword, Map<?, ?> old, Map<?, ?> now, int sign) {
        if (now.get(keyword) instanceof Integer bound
                && (!(old.get(keyword) instanceof Integer was) || sign * bound > sign * was)) {
            breaking.add(at + " has " + keyword + " " + bound + ", had " + old.get(keyword));
        }
    }

    private void fields(String at, Map<?, ?> old, Map<?, ?> now, boolean request) {
        Map<?, ?> fieldsNow = map(now, "properties");
        map(old, "properties").forEach((name, field) -> {
            if (fieldsNow.get(name) instanceof Map<?, ?> fieldNow) {
                schema(at + "." + name, (Map<?, ?>) field, fieldNow, request);
            } else {
                breaking.add(at + "." + name + " is gone");
            }
        });
        List<?> required = list(old, "required");
        List<?> requiredNow = list(now, "required");
        if (request) {
            requiredNow.stream()
                    .filter(name -> !required.contains(name))
                    .forEach(name -> breaking.add(at + "." + name + " is required"));
        } else {
            required.stream()
                    .filter(name -> !requiredNow.contains(name))
                    .forEach(name -> breaking.add(at + "." + name + " may be missing"));
        }
    }

    private static Map<?, ?> map(Map<?, ?> from, String name) {
        return from.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(Map<?, ?> from, String name) {
        Object value = from.get(name);
        return value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    }
}
