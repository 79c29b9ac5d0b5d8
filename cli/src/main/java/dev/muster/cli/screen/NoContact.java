package dev.muster.cli.screen;

/** How it is told that a job's backend is not reached. */
final class NoContact {
    static final String WORDS = "no contact with the backend";

    private NoContact() {}

    /** Whether the reason of a job tells it already, with the words of the backend. */
    static boolean isTold(String reason) {
        return reason.contains(WORDS);
    }
}
