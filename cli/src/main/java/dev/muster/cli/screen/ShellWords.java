package dev.muster.cli.screen;

import java.util.List;
import java.util.stream.Collectors;

/** Texts as a POSIX shell would take them, so that they can be copied. */
public final class ShellWords {
    private static final String HARMLESS = "@%+=:,./-_";

    private ShellWords() {}

    static String join(List<String> words) {
        return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    /** The word as it is where that is safe, else in quotes. */
    public static String quote(String word) {
        boolean harmless = !word.isEmpty()
                && word.chars().allMatch(letter -> Character.isLetterOrDigit(letter) || HARMLESS.indexOf(letter) >= 0);
        if (harmless) {
            return word;
        }
        boolean control = word.chars().anyMatch(letter -> letter < 0x20 || letter == 0x7f);
        return control ? escaped(word) : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The form {@code $'...'} of POSIX.1-2024, on one line whatever is in it. */
    private static String escaped(String word) {
        StringBuilder text = new StringBuilder("$'");
        for (int at = 0; at < word.length(); at++) {
            char letter = word.charAt(at);
            switch (letter) {
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                case '\\' -> text.append("\\\\");
                case '\'' -> text.append("\\'");
                default -> text.append(letter < 0x20 || letter == 0x7f ? "\\" + octal(letter) : String.valueOf(letter));
            }
        }
        return text.append('\'').toString();
    }

    private static String octal(char letter) {
        String digits = Integer.toOctalString(letter);
        return "0".repeat(3 - digits.length()) + digits;
    }
}
