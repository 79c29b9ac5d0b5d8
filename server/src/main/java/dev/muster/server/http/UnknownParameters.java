package dev.muster.server.http;

import dev.muster.api.FieldProblem;
import dev.muster.model.Nearest;
import java.util.List;
import java.util.TreeSet;

/** Refuses parameters of a query that mean nothing: one that is misspelled would else be taken for one that was not given. */
final class UnknownParameters {
    private UnknownParameters() {}

    /** @throws ProblemException which names each of them, with the nearest that there is */
    static void refuse(Exchange exchange, Route route) {
        List<FieldProblem> unknown = exchange.queryNames().stream()
                .filter(name -> !route.parameters().contains(name))
                .sorted()
                .map(name -> new FieldProblem(name, rule(name, route), Nearest.to(name, route.parameters())))
                .toList();
        if (!unknown.isEmpty()) {
            throw ProblemException.invalid(unknown);
        }
    }

    private static String rule(String name, Route route) {
        String known = route.parameters().isEmpty()
                ? "which has none"
                : "which has " + String.join(", ", new TreeSet<>(route.parameters()));
        return "'" + name + "' is no parameter of " + route.method() + " " + route.pattern() + ", " + known;
    }
}
