package dev.muster.server.http;

/** The head of a stream is sent, and nobody asked for more: ends the handler, whose stream might have no end. Not an error. */
final class HeadAnsweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HeadAnsweredException() {
        super("the head was asked for", null, false, false);
    }
}
