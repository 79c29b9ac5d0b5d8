package dev.muster.cli.arguments;

import java.util.Collection;
import java.util.Optional;

/** Finds what was probably meant: the known name with the fewest letters inserted, left out, changed or swapped. */
public final class Nearest {
    private Nearest() {}

    /** The nearest of the known names, unless none is near. */
    public static Optional<String> to(String typed, Collection<String> known) {
        String best = "";
        int fewest = Math.max(1, typed.length() / 3) + 1;
        for (String name : known) {
            int distance = distance(typed, name);
            if (distance < fewest) {
                fewest = distance;
                best = name;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Optimal string alignment: the table of distances between beginnings, of which three rows are needed. */
    private static int distance(String from, String to) {
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int[] next = new int[to.length() + 1];
            next[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                boolean same = from.charAt(line - 1) == to.charAt(column - 1);
                int changed = row[column - 1] + (same ? 0 : 1);
                next[column] = Math.min(changed, 1 + Math.min(row[column], next[column - 1]));
                if (isSwapped(from, line, to, column)) {
                    next[column] = Math.min(next[column], last[column - 2] + 1);
                }
            }
            last = row;
            row = next;
        }
        return row[to.length()];
    }

    private static boolean isSwapped(String from, int line, String to, int column) {
        return line > 1
                && column > 1
                && from.charAt(line - 1) == to.charAt(column - 2)
                && from.charAt(line - 2) == to.charAt(column - 1);
    }
}
