package dev.muster.cli.system;

import java.util.UUID;

/** Keys that tell one submission from every other, so that one that is sent again, because its answer was lost, makes no second job. */
public final class SubmissionKeys {
    private SubmissionKeys() {}

    /** A key never given before, by anyone. */
    public static String next() {
        return UUID.randomUUID().toString();
    }
}
