package dev.muster.server.http;

import dev.muster.api.ProblemType;
import dev.muster.server.access.Audit;
import dev.muster.server.access.Caller;
import dev.muster.spi.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Notes down what callers change, or try to, before they are answered. Who is not let in has changed nothing and is not noted; nor is
 * the first half of a submission, which is answered with what has to be sent along.
 */
public final class Audited implements Handler {
    private static final Set<String> LOOKING = Set.of("GET", "HEAD", "OPTIONS");
    /** Answered with a plan or a file; nothing is stored. */
    private static final Set<String> SHOWING = Set.of("/v1/plans", "/v1/exports");

    private final Audit audit;
    private final Clock clock;
    private final Handler inside;

    public Audited(Audit audit, Clock clock, Handler inside) {
        this.audit = audit;
        this.clock = clock;
        this.inside = inside;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        exchange.note().whenAnswered(() -> note(exchange));
        inside.handle(exchange, variables);
    }

    private void note(Exchange exchange) {
        Optional<Caller> caller = exchange.note().caller();
        Optional<String> route = exchange.note().route();
        boolean asked = exchange.note().status() == ProblemType.NEEDS.status();
        if (caller.isPresent() && route.isPresent() && changes(exchange.method(), route.get()) && !asked) {
            audit.add(new Audit.Entry(
                    clock.now(),
                    caller.get().token(),
                    caller.get().user(),
                    exchange.method() + " " + route.get(),
                    exchange.note().subject().orElse(exchange.path()),
                    exchange.note().status()));
        }
    }

    private static boolean changes(String method, String route) {
        return !LOOKING.contains(method) && !SHOWING.contains(route);
    }
}
