package dev.muster.server.http;

import java.io.IOException;

/** The body of a request cannot be read to its end: the client went away, or it is no proper HTTP. Never a fault of the service. */
public final class BrokenBodyException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenBodyException(Throwable cause) {
        super("the body of the request broke off", cause);
    }
}
