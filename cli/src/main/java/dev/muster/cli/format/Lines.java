package dev.muster.cli.format;

import java.util.ArrayList;
import java.util.List;

/** Texts laid out for a terminal's width so that no word is broken. */
public final class Lines {
    private static final String MORE = " …";
    private static final int HANG = 2;

    private Lines() {}

    /**
     * The text on as many lines as it takes; those after the first stand two columns further in. A word that is wider than that, such as a
     * path, has a line of its own and stays whole, so that it can be copied.
     */
    public static List<String> wrap(String text, int columns) {
        if (TextWidth.of(text) <= columns) {
            return List.of(text);
        }
        int indent = text.length() - text.stripLeading().length();
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(" ".repeat(indent));
        boolean empty = true;
        for (String word : text.strip().split("(?<=\\S)(?=\\s)")) {
            if (!empty && TextWidth.of(line.toString()) + TextWidth.of(word) > columns) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent + HANG));
                empty = true;
            }
            line.append(empty ? word.stripLeading() : word);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** The same on so many lines at most; the last one ends with an ellipsis when there would be more, and none is wider than that. */
    public static List<String> wrap(String text, int columns, int most) {
        List<String> lines = wrap(text, columns);
        List<String> shown = new ArrayList<>();
        for (String line : lines.subList(0, Math.min(most, lines.size()))) {
            shown.add(TextWidth.cut(line, columns));
        }
        if (lines.size() > most) {
            List<String> last = wrap(shown.getLast(), columns - TextWidth.of(MORE));
            shown.set(most - 1, TextWidth.cut(last.getFirst() + MORE, columns));
        }
        return shown;
    }

    /** As many of the parts as fit side by side, two blanks between them; the first one is cut when even that is too wide. */
    public static String join(List<String> parts, int columns) {
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            String more = line.isEmpty() ? part : "  " + part;
            if (part.isEmpty()) {
                continue;
            }
            if (TextWidth.of(line.toString()) + TextWidth.of(more) <= columns) {
                line.append(more);
            } else if (line.isEmpty()) {
                return TextWidth.cut(part, columns);
            } else {
                break;
            }
        }
        return line.toString();
    }
}
