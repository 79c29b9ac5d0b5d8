package dev.muster.spec.form;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What the operating system can hand to a process: bytes without NUL, of bounded length. */
public final class Bytes {
    /** Linux takes an argument or variable of up to 32 pages, the NUL at its end included. */
    public static final int LONGEST = 32 * 4096 - 1;

    private Bytes() {}

    /** The text, when a process can be given exactly it; else told. The text itself is not shown: it may be secret. */
    public static Optional<String> passable(At at, String text) {
        if (text.indexOf('\0') >= 0) {
            return at.wrong("holds the character NUL, which no process can be given");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return at.wrong("holds half a character (a lone surrogate), which has no UTF-8 form");
        }
        return length(text) > LONGEST
                ? at.wrong("is longer than the " + LONGEST + " bytes a process can be given in one piece")
                : Optional.of(text);
    }

    /** Length in UTF-8. */
    public static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
