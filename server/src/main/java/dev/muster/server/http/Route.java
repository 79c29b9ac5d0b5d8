package dev.muster.server.http;

import dev.muster.server.access.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One method of one resource.
 *
 * @param method  HTTP method
 * @param pattern path in which a segment may be a name in braces, such as {@code /v1/jobs/{job}}
 * @param scope   what a token must be good for; empty where none is needed
 * @param handler answers
 * @param parameters of the query that it reads; any other is refused
 */
public record Route(String method, String pattern, Optional<Scope> scope, Handler handler, Set<String> parameters) {
    public Route {
        parameters = Set.copyOf(parameters);
    }

    public Route(String method, String pattern, Scope scope, Handler handler, String... parameters) {
        this(method, pattern, Optional.of(scope), handler, Set.of(parameters));
    }

    /** One that whoever reaches the service may ask, without a token and by any name: it must tell nothing that is worth one. */
    public static Route open(String pattern, Handler handler) {
        return new Route("GET", pattern, Optional.empty(), handler, Set.of());
    }

    /** The variables of the path when it fits this route's pattern. */
    Optional<PathVariables> match(List<String> segments) {
        List<String> wanted = segments(pattern);
        if (wanted.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int index = 0; index < wanted.size(); index++) {
            String name = wanted.get(index);
            if (name.startsWith("{")) {
                variables.put(name.substring(1, name.length() - 1), segments.get(index));
            } else if (!name.equals(segments.get(index))) {
                return Optional.empty();
            }
        }
        return Optional.of(new PathVariables(variables));
    }

    /** The parts of a path between its slashes; a slash at its end counts for nothing. */
    static List<String> segments(String path) {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return List.of(trimmed.substring(Math.min(1, trimmed.length())).split("/", -1));
    }
}
