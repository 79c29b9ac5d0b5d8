package dev.muster.server.service;

import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;

/** Whether jobs are taken: not any more once the service was told to stop, though it still answers what is asked about them. */
final class Intake {
    private volatile boolean closed;

    void close() {
        closed = true;
    }

    /** @throws dev.muster.server.http.ProblemException when no job is taken any more */
    void require() {
        if (closed) {
            throw Activity.stopping();
        }
    }

    /** The handler, while jobs are taken. */
    Handler guard(Handler inside) {
        return (Exchange exchange, PathVariables variables) -> {
            require();
            inside.handle(exchange, variables);
        };
    }
}
