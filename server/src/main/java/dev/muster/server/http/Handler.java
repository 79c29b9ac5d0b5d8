package dev.muster.server.http;

import java.io.IOException;

/** Answers the requests of one route. */
@FunctionalInterface
public interface Handler {
    /**
     * @throws ProblemException what the client is told
     * @throws IOException      when the client is gone or what is to be sent cannot be read
     */
    void handle(Exchange exchange, PathVariables variables) throws IOException;
}
