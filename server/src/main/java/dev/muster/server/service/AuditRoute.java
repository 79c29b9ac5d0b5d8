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
import java.util.OptionalLong;

/** Who changed what, newest first, for administrators: it names tokens, users and jobs of all projects. */
record AuditRoute(Audit audit) {
    private static final int PAGE = 100;
    private static final int LARGEST_PAGE = 1000;

    Route route() {
        return new Route("GET", "/v1/audit", Scope.ADMIN, this::list, "before", "limit");
    }

    private record Part(OptionalLong before, int limit) {}

    private void list(Exchange exchange, PathVariables variables) throws IOException {
        Part part = Queries.read(
                exchange,
                query -> new Part(
                        query.number("before", 0, Long.MAX_VALUE), query.number("limit", 1, LARGEST_PAGE, PAGE)));
        AuditPage page = audit.before(part.before(), part.limit());
        Optional<String> next =
                page.next().isPresent() ? Optional.of(Long.toString(page.next().getAsLong())) : Optional.empty();
        exchange.send(200, new Page<>(page.lines(), next));
    }
}
