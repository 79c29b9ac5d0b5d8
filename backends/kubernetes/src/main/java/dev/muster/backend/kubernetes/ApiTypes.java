package dev.muster.backend.kubernetes;

import dev.muster.model.Nearest;
import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what a job text hands on as the type that Kubernetes has there. The client library by itself keeps names it does not know, and the API server
 * leaves them out without a word.
 */
final class ApiTypes {
    /** One for all: what it has learnt of a type costs tens of milliseconds. */
    private static final JsonMapper MAPPER =
            JsonMapper.builder().annotationIntrospector(new Strict()).build();

    private ApiTypes() {}

    /** Without the library's place for unknown names. */
    private static final class Strict extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(MapperConfig<?> config, Annotated method) {
            return Boolean.FALSE;
        }
    }

    /** Collects unknown names and goes on. */
    private static final class Unknown extends DeserializationProblemHandler {
        private final String root;
        private final Collection<String> beside;
        private final List<Problem> problems = new ArrayList<>();

        Unknown(String root, Collection<String> beside) {
            this.root = root;
            this.beside = beside;
        }

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                ValueDeserializer<?> reader,
                Object bean,
                String name) {
            Set<String> known = new TreeSet<>(beside);
            Collection<Object> names = reader.getKnownPropertyNames();
            if (names != null) {
                names.forEach(each -> known.add(each.toString()));
            }
            problems.add(new Problem(
                    root + path(parser.streamReadContext().pathAsPointer()),
                    "is not a field of a Kubernetes " + reader.handledType().getSimpleName(),
                    Nearest.to(name, known)));
            parser.skipChildren();
            return true;
        }
    }

    /**
     * What of it Kubernetes does not know or cannot read, each with its path; empty when it is such a thing.
     *
     * @param field  where it stands
     * @param beside names that have a meaning there besides Kubernetes' own, to suggest
     */
    static List<Problem> check(String field, Object given, Class<?> type, Collection<String> beside) {
        Unknown unknown = new Unknown(field, beside);
        try {
            MAPPER.readerFor(type).withHandler(unknown).readValue(MAPPER.writeValueAsString(given));
        } catch (MismatchedInputException mismatch) {
            unknown.problems.add(Problem.of(
                    field + path(mismatch.getPath()),
                    "must be " + expected(mismatch.getTargetType()) + ", not " + shown(at(given, mismatch.getPath()))));
        } catch (JacksonException other) {
            unknown.problems.add(Problem.of(field, "cannot be read: " + other.getOriginalMessage()));
        }
        return unknown.problems;
    }

    private static String path(JsonPointer pointer) {
        StringBuilder path = new StringBuilder();
        for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
            path.append(
                    rest.mayMatchElement() ? "[" + rest.getMatchingIndex() + "]" : "." + rest.getMatchingProperty());
        }
        return path.toString();
    }

    private static String path(List<JacksonException.Reference> steps) {
        StringBuilder path = new StringBuilder();
        steps.forEach(step -> path.append(
                step.getPropertyName() == null ? "[" + step.getIndex() + "]" : "." + step.getPropertyName()));
        return path.toString();
    }

    private static Object at(Object given, List<JacksonException.Reference> steps) {
        Object found = given;
        for (JacksonException.Reference step : steps) {
            if (found instanceof Map<?, ?> mapping && mapping.containsKey(step.getPropertyName())) {
                found = mapping.get(step.getPropertyName());
            } else if (found instanceof List<?> list && step.getIndex() >= 0 && step.getIndex() < list.size()) {
                found = list.get(step.getIndex());
            }
        }
        return found;
    }

    private static String expected(Class<?> type) {
        if (type == null) {
            return "what Kubernetes has there";
        }
        if (type == String.class) {
            return "a text";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        if (Map.class.isAssignableFrom(type)) {
            return "a mapping";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        return Number.class.isAssignableFrom(type) ? "a whole number" : "a Kubernetes " + type.getSimpleName();
    }

    /** What was given, as a message names it. */
    static String shown(Object given) {
        return switch (given) {
            case Map<?, ?> mapping -> "a mapping";
            case List<?> list -> "a list";
            default -> String.valueOf(given);
        };
    }
}
