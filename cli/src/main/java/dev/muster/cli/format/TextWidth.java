package dev.muster.cli.format;

/** How many columns of a terminal a text takes, and texts cut to fit. */
public final class TextWidth {
    private static final String MORE = "…";

    private TextWidth() {}

    /** Columns; letters of East Asian scripts and pictures take two, combining marks none. */
    public static int of(String text) {
        int width = 0;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            width += of(text.codePointAt(at));
        }
        return width;
    }

    /** The text, or its beginning and an ellipsis, in so many columns. */
    public static String cut(String text, int columns) {
        // A text is at least as long as it is wide, unless it has double letters.
        if (text.length() * 2 <= columns || of(text) <= columns) {
            return text;
        }
        if (columns <= 0) {
            return "";
        }
        int width = 0;
        int at = 0;
        while (at < text.length() && width + of(text.codePointAt(at)) < columns) {
            width += of(text.codePointAt(at));
            at += Character.charCount(text.codePointAt(at));
        }
        return text.substring(0, at) + MORE;
    }

    private static int of(int letter) {
        if (letter < 0x300) {
            return letter < 0x20 || letter >= 0x7f && letter < 0xa0 ? 0 : 1;
        }
        int type = Character.getType(letter);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        boolean wide = letter >= 0x1100 && letter <= 0x115f
                || letter >= 0x2e80 && letter <= 0xa4cf
                || letter >= 0xac00 && letter <= 0xd7a3
                || letter >= 0xf900 && letter <= 0xfaff
                || letter >= 0xfe30 && letter <= 0xfe6f
                || letter >= 0xff00 && letter <= 0xff60
                || letter >= 0xffe0 && letter <= 0xffe6
                || letter >= 0x1f300 && letter <= 0x1faff
                || letter >= 0x20000 && letter <= 0x3fffd;
        return wide ? 2 : 1;
    }
}
