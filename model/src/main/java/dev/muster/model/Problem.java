package dev.muster.model;

import java.util.Optional;

/**
 * One thing wrong with what a user gave.
 *
 * @param field      path of the field, such as {@code roles.worker.count}; empty for the whole document
 * @param message    the rule that is broken and what was seen, in plain words
 * @param suggestion what to write instead, such as the nearest known name
 */
public record Problem(String field, String message, Optional<String> suggestion) {
    public static Problem of(String field, String message) {
        return new Problem(field, message, Optional.empty());
    }

    public static Problem of(String field, String message, String suggestion) {
        return new Problem(field, message, Optional.of(suggestion));
    }

    /** The answer for a field that the contract has and this backend cannot do yet. */
    public static Problem notYet(String field, BackendKind backend) {
        return of(field, field + " is not yet on this backend (" + backend.text() + ")", "remove " + field);
    }

    @Override
    public String toString() {
        return (field.isEmpty() ? "" : field + ": ")
                + message
                + suggestion.map(text -> " (" + text + ")").orElse("");
    }
}
