package dev.muster.server.service;

import dev.muster.api.Description;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import java.util.Map;

/** The description of the API, for programs that are written or configured by it. It stands outside the version that it describes. */
final class DescriptionRoute {
    /** RFC 9512. */
    private static final String YAML = "application/yaml";

    Route route() {
        return new Route("GET", "/openapi.yaml", Scope.READ, this::send);
    }

    private void send(Exchange exchange, PathVariables variables) {
        exchange.send(200, YAML, Description.text(), Map.of());
    }
}
