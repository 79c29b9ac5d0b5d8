package dev.muster.server;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.spec.tree.Tree;
import dev.muster.spec.tree.TreeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Holds answers against api/openapi.yaml: the part of JSON Schema that it uses, and nothing it does not know is passed over. */
final class OpenApi {
    private static final Set<String> KNOWN = Set.of(
            "$ref",
            "type",
            "enum",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "pattern",
            "oneOf",
            "format",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "description");

    private final Map<?, ?> document;

    OpenApi() {
        this(Path.of("../api/openapi.yaml"));
    }

    OpenApi(Path file) {
        try {
            String text = Files.readString(file);
            document = (Map<?, ?>) plain(TreeReader.read(text, problem -> {
                        throw new AssertionError(problem.toString());
                    })
                    .orElseThrow());
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Object plain(Tree tree) {
        return switch (tree) {
            case Tree.Entries entries -> {
                Map<String, Object> map = new HashMap<>();
                entries.entries().forEach((name, value) -> map.put(name, plain(value)));
                yield map;
            }
            case Tree.Items items -> {
                List<Object> list = new ArrayList<>();
                items.items().forEach(item -> list.add(plain(item)));
                yield list;
            }
            case Tree.Scalar scalar -> {
                if (scalar.isNull() || !scalar.plain()) {
                    yield scalar.isNull() ? null : scalar.text();
                }
                yield switch (scalar.text()) {
                    case "true" -> true;
                    case "false" -> false;
                    default ->
                        scalar.text().matches("\\d{1,9}") ? (Object) Integer.valueOf(scalar.text()) : scalar.text();
                };
            }
        };
    }

    /** Operations as {@code GET /v1/jobs/{job}}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        at("paths")
                .forEach((path, item) -> ((Map<?, ?>) item)
                        .keySet().stream()
                                .filter(method -> !method.equals("parameters"))
                                .forEach(method ->
                                        operations.add(method.toString().toUpperCase() + " /v1" + path)));
        return operations;
    }

    /** The path of the description that a path of a request fits, such as {@code /jobs/{job}}. */
    Optional<String> path(String requested) {
        return at("paths").keySet().stream()
                .map(Object::toString)
                .filter(path -> requested.matches("/v1" + path.replaceAll("\\{\\w+}", "[^/]+")))
                .findFirst();
    }

    /** All of it, as maps, lists, texts, whole numbers and truth values. */
    Map<?, ?> document() {
        return document;
    }

    /** Names of the query parameters of an operation as {@link #operations} has it. */
    Set<String> queryParameters(String operation) {
        String[] words = operation.split(" ");
        Map<?, ?> described = at("paths", words[1].substring("/v1".length()), words[0].toLowerCase());
        Set<String> names = new TreeSet<>();
        if (described.get("parameters") instanceof List<?> parameters) {
            parameters.stream()
                    .map(parameter -> resolve((Map<?, ?>) parameter))
                    .filter(parameter -> "query".equals(parameter.get("in")))
                    .forEach(parameter -> names.add(parameter.get("name").toString()));
        }
        return names;
    }

    /** What is wrong with a JSON answer of an operation; empty when nothing is. */
    List<String> problems(String method, String path, int status, String contentType, String body) {
        Map<?, ?> responses = at("paths", path, method.toLowerCase(), "responses");
        Object response = responses.get(Integer.toString(status));
        if (response == null) {
            response = responses.get("default");
        }
        if (response == null) {
            return List.of(method + " " + path + " has no answer " + status);
        }
        Object content = resolve((Map<?, ?>) response).get("content");
        if (content == null) {
            return body.isEmpty() ? List.of() : List.of("an answer without content has some");
        }
        Object media = ((Map<?, ?>) content).get(contentType);
        if (media == null) {
            return List.of(method + " " + path + " does not answer " + contentType);
        }
        return problems((Map<?, ?>) ((Map<?, ?>) media).get("schema"), Json.parse(body));
    }

    /** What is wrong with a document of a named schema. */
    List<String> problems(String schema, Json value) {
        return problems(at("components", "schemas", schema), value);
    }

    private List<String> problems(Map<?, ?> schema, Json value) {
        List<String> problems = new ArrayList<>();
        check("", schema, value, problems);
        return problems;
    }

    private void check(String at, Map<?, ?> written, Json value, List<String> problems) {
        Map<?, ?> schema = resolve(written);
        for (Object keyword : schema.keySet()) {
            if (!KNOWN.contains(keyword.toString())) {
                problems.add(at + ": this checker does not know " + keyword);
            }
        }
        if (schema.get("oneOf") instanceof List<?> choices) {
            long fitting = choices.stream()
                    .filter(choice -> problems((Map<?, ?>) choice, value).isEmpty())
                    .count();
            if (fitting != 1) {
                problems.add(at + ": fits " + fitting + " of its choices: " + value);
            }
        }
        if (schema.get("enum") instanceof List<?> values
                && values.stream()
                        .noneMatch(each -> value.equals(each == null ? Json.NULL : Json.of(each.toString())))) {
            problems.add(at + ": " + value + " is none of " + values);
        }
        if (schema.get("type") != null && !fits(types(schema.get("type")), type(value))) {
            problems.add(at + ": " + value + " is no " + schema.get("type"));
            return;
        }
        switch (value) {
            case JsonFields fields -> object(at, schema, fields, problems);
            case Json.Items items -> {
                for (int index = 0; index < items.values().size(); index++) {
                    check(
                            at + "[" + index + "]",
                            (Map<?, ?>) schema.get("items"),
                            items.values().get(index),
                            problems);
                }
            }
            case Json.Text text -> text(at, schema, text.value(), problems);
            case Json.Numeral numeral -> {
                if (schema.get("minimum") instanceof Integer minimum
                        && Double.parseDouble(numeral.literal()) < minimum) {
                    problems.add(at + ": " + numeral + " is less than " + minimum);
                }
            }
            case Json.Bool ignored -> {}
            case Json.Null ignored -> {}
        }
    }

    private void object(String at, Map<?, ?> schema, JsonFields fields, List<String> problems) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(name -> !fields.values().containsKey(name.toString()))
                    .forEach(name -> problems.add(at + "." + name + ": is missing"));
        }
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        fields.values().forEach((name, value) -> {
            if (properties.get(name) instanceof Map<?, ?> property) {
                check(at + "." + name, property, value, problems);
            } else if (schema.get("additionalProperties") instanceof Map<?, ?> others) {
                check(at + "." + name, others, value, problems);
            } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                problems.add(at + "." + name + ": is not in the schema");
            }
        });
    }

    private static void text(String at, Map<?, ?> schema, String value, List<String> problems) {
        if (schema.get("pattern") instanceof String pattern
                && !Pattern.compile(pattern).matcher(value).find()) {
            problems.add(at + ": " + value + " does not fit " + pattern);
        }
        if ("date-time".equals(schema.get("format"))) {
            try {
                Instant.parse(value);
            } catch (DateTimeParseException notATime) {
                problems.add(at + ": " + value + " is no time");
            }
        }
    }

    private static boolean fits(List<?> types, String type) {
        return types.contains(type) || type.equals("integer") && types.contains("number");
    }

    private static List<?> types(Object type) {
        return type instanceof List<?> several ? several : List.of(type);
    }

    private static String type(Json value) {
        return switch (value) {
            case JsonFields ignored -> "object";
            case Json.Items ignored -> "array";
            case Json.Text ignored -> "string";
            case Json.Bool ignored -> "boolean";
            case Json.Null ignored -> "null";
            case Json.Numeral numeral -> numeral.literal().matches("-?\\d+") ? "integer" : "number";
        };
    }

    Map<?, ?> resolve(Map<?, ?> schema) {
        return schema.get("$ref") instanceof String reference
                ? resolve(at(reference.substring(2).split("/")))
                : schema;
    }

    private Map<?, ?> at(String... names) {
        Map<?, ?> map = document;
        for (String name : names) {
            Optional<?> next = Optional.ofNullable(map.get(name));
            map = (Map<?, ?>)
                    next.orElseThrow(() -> new AssertionError("openapi.yaml has no " + String.join("/", names)));
        }
        return map;
    }
}
