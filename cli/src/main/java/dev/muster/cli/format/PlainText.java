package dev.muster.cli.format;

/** Makes foreign text harmless for a terminal: what a training prints must not move the cursor or stay in its colours. */
public final class PlainText {
    private static final char ESCAPE = '\u001b';

    private PlainText() {}

    /** Without control sequences and control characters; tabs stay, and of a line with carriage returns what a terminal would show last. */
    public static String of(String line) {
        String text = line;
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\r') {
            end--;
        }
        text = text.substring(text.lastIndexOf('\r', end - 1) + 1, end);
        if (isPlain(text)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char letter = text.charAt(at);
            if (letter == ESCAPE) {
                at = afterSequence(text, at);
            } else {
                if (!isControl(letter)) {
                    plain.append(letter);
                }
                at++;
            }
        }
        return plain.toString();
    }

    private static boolean isPlain(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (isControl(text.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isControl(char letter) {
        return letter < 0x20 && letter != '\t' || letter >= 0x7f && letter < 0xa0;
    }

    /** Behind a control sequence (ECMA-48): CSI up to its final letter, OSC up to BEL or ST, else two letters. */
    private static int afterSequence(String text, int escape) {
        int at = escape + 1;
        if (at >= text.length()) {
            return at;
        }
        char kind = text.charAt(at++);
        if (kind == '[') {
            while (at < text.length() && (text.charAt(at) < 0x40 || text.charAt(at) > 0x7e)) {
                at++;
            }
            return Math.min(text.length(), at + 1);
        }
        if (kind == ']') {
            while (at < text.length() && text.charAt(at) != 0x07 && text.charAt(at) != ESCAPE) {
                at++;
            }
            boolean stringEnd = at + 1 < text.length() && text.charAt(at) == ESCAPE;
            return Math.min(text.length(), at + (stringEnd ? 2 : 1));
        }
        return at;
    }
}
