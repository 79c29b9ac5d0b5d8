package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.server.access.Scope;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the handler of a request among few routes. */
public final class Routes implements Handler {
    private final List<Route> routes;

    public Routes(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** Whether the request is for a route that is open to everybody. */
    public boolean isOpen(Exchange exchange) {
        List<String> segments = Route.segments(exchange.path());
        String method = method(exchange, segments);
        return routes.stream()
                .anyMatch(route -> route.scope().isEmpty()
                        && route.method().equals(method)
                        && route.match(segments).isPresent());
    }

    /** HEAD is answered as GET, without its body (RFC 9110, 9.3.2), where a resource has none of its own. */
    private String method(Exchange exchange, List<String> segments) {
        boolean isGet = exchange.method().equals("HEAD")
                && routes.stream()
                        .noneMatch(route -> route.method().equals("HEAD")
                                && route.match(segments).isPresent());
        return isGet ? "GET" : exchange.method();
    }

    @Override
    public void handle(Exchange exchange, PathVariables none) throws IOException {
        List<String> segments = Route.segments(exchange.path());
        String method = method(exchange, segments);
        TreeSet<String> allowed = new TreeSet<>();
        for (Route route : routes) {
            Optional<PathVariables> variables = route.match(segments);
            if (variables.isPresent() && route.method().equals(method)) {
                exchange.note().route(route.pattern());
                route.scope().ifPresent(scope -> require(scope, exchange));
                UnknownParameters.refuse(exchange, route);
                route.handler().handle(exchange, variables.get());
                return;
            }
            variables.ifPresent(same -> allowed.add(route.method()));
        }
        if (allowed.isEmpty()) {
            throw new ProblemException(
                    ProblemType.NOT_FOUND,
                    "There is no resource " + exchange.path() + "; GET /openapi.yaml tells those there are.");
        }
        String methods = allowed.stream().collect(Collectors.joining(", "));
        throw new ProblemException(
                ProblemDocument.of(
                        ProblemType.METHOD,
                        exchange.path() + " cannot do " + exchange.method() + "; it can do " + methods + "."),
                Map.of("Allow", methods));
    }

    private static void require(Scope scope, Exchange exchange) {
        if (!exchange.caller().may(scope)) {
            throw new ProblemException(
                    ProblemDocument.of(
                            ProblemType.FORBIDDEN,
                            "Token " + exchange.caller().token() + " has no scope " + scope.text()
                                    + ", which this needs."),
                    Map.of("WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"" + scope.text() + "\""));
        }
    }
}
