package dev.muster.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a token may be used for. */
public enum Scope {
    /** To look. */
    READ,
    /** To hand in jobs and code, and to change jobs. */
    SUBMIT,
    /** Everything, in every project, the service itself included. */
    ADMIN;

    /** As tokens and problems write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Scope> of(String text) {
        return Arrays.stream(values())
                .filter(scope -> scope.text().equals(text))
                .findFirst();
    }
}
