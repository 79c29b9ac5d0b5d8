package dev.muster.server.http;

import java.time.Duration;

/**
 * How long clients may take. Together these bound how long one holds a connection without a whole request, or without reading its answer: a
 * byte now and then is no way to hold it longer.
 *
 * @param silence   a client that owes a byte of its request for so long is cut off, and one that takes nothing of its answer for so long
 * @param head      from the connection to the end of the first request's head, TLS included
 * @param idle      a connection that is kept for the next request is closed after so long
 * @param bodyBytes how many bytes of a body must come in a second, or of an answer be taken in one of waiting, on average, once {@code silence} has gone by
 */
record Patience(Duration silence, Duration head, Duration idle, long bodyBytes) {
    static final Patience USUAL =
            new Patience(Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMinutes(2), 1024);

    /** Whether a body of which so much came in so long a time comes too slowly. */
    boolean isExhausted(Duration elapsed, long bytes) {
        return elapsed.compareTo(silence) > 0 && bytes < bodyBytes * elapsed.toMillis() / 1000;
    }
}
