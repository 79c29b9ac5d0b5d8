package dev.muster.server.home;

/** MUSTER_HOME cannot be used; the message says why and what to do. */
public final class HomeException extends Exception {
    private static final long serialVersionUID = 1L;

    public HomeException(String message) {
        super(message);
    }
}
