package dev.muster.server.service;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.spi.Clock;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Knows whether the service is in use, and closes it at the right moment: a request either begins before and is answered, or is told
 * to go to the next service. Any thread may call.
 */
public final class Activity implements Handler {
    private final Clock clock;
    private final Handler inside;
    private int underWay;
    private boolean closed;
    private Instant last;

    public Activity(Clock clock, Handler inside) {
        this.clock = clock;
        this.inside = inside;
        this.last = clock.now();
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        begin();
        try {
            inside.handle(exchange, variables);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (closed) {
            throw stopping();
        }
        underWay++;
    }

    private synchronized void end() {
        underWay--;
        last = clock.now();
    }

    /** When the service was last in use; now while a request is under way. */
    public synchronized Instant lastUse() {
        return underWay > 0 ? clock.now() : last;
    }

    /**
     * Takes no more requests, unless one came since.
     *
     * @param lastUse what {@link #lastUse} gave
     * @return whether it is closed
     */
    public synchronized boolean closeUnlessUsedSince(Instant lastUse) {
        if (underWay == 0 && !last.isAfter(lastUse)) {
            closed = true;
        }
        return closed;
    }

    /** Takes no more requests; those under way go on. */
    public synchronized void close() {
        closed = true;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** What a client is told who comes too late: the same request will be answered by the next service. */
    public static ProblemException stopping() {
        return new ProblemException(
                ProblemDocument.of(
                        ProblemType.UNAVAILABLE, "The service is stopping. Ask again: the next one answers."),
                Map.of("Retry-After", "1", "Connection", "close"));
    }
}
