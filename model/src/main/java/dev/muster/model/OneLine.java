package dev.muster.model;

import java.util.regex.Pattern;

/**
 * Text of others as part of a sentence: one line, without what would colour, move or clear a terminal, or turn the order of its letters. What a
 * program prints is quoted in reasons, and reasons stand in lists.
 */
final class OneLine {
    /** Sequences of terminals (ECMA-48): CSI, then OSC and the other strings, then those of two characters. */
    private static final Pattern ESCAPES = Pattern.compile(
            "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)?|\\x1b[ -/]*[0-~]");

    private static final Pattern BREAKS = Pattern.compile("[\\t-\\r\\x1c-\\x1f\\x85\\u2028\\u2029]+ *");
    private static final Pattern UNSEEN = Pattern.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");

    private OneLine() {}

    static String of(String text) {
        if (!UNSEEN.matcher(text).find() && !BREAKS.matcher(text).find()) {
            return text;
        }
        String plain = ESCAPES.matcher(text).replaceAll("");
        return UNSEEN.matcher(BREAKS.matcher(plain).replaceAll(" "))
                .replaceAll("")
                .strip();
    }
}
