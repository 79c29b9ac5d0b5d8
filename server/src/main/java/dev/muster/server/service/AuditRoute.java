package dev.muster.server.service;

import dev.muster.api.Page;
import dev.muster.server.access.Audit;
import dev.muster.server.access.AuditPage;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Queries;
import dev.muster.server.http.Route;
import java.io.IOException;
import java.util.Optional;

/** Who changed what, newest first, for administrators: it names tokens, users and jobs of all projects. */
record AuditRoute(Audit audit) {
    private static final int PAGE = 100;
    private static final int LARGEST_PAGE = 1000;

    Route route() {
        return new Route("GET", "/v1/audit", Scope.ADMIN, this::list, "before", "limit");
    }

    private void list(Exchange exchange, PathVariables variables) throws IOException {
        int limit = (int) Queries.number(exchange, "limit", 1, LARGEST_PAGE).orElse(PAGE);
        AuditPage page = audit.before(Queries.number(exchange, "before", 0, Long.MAX_VALUE), limit);
        Optional<String> next =
                page.next().isPresent() ? Optional.of(Long.toString(page.next().getAsLong())) : Optional.empty();
        exchange.send(200, new Page<>(page.lines(), next));
    }
}
