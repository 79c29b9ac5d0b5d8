package dev.muster.model;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The known name a mistyped one is nearest to. */
public final class Nearest {
    private static final int LONGEST = 100;

    private Nearest() {}

    /** The nearest name, when it differs in no more than a third of its letters; case does not count. */
    public static Optional<String> to(String word, Collection<String> known) {
        if (word.isEmpty() || word.length() > LONGEST) {
            return Optional.empty();
        }
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String name : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance < least && distance <= Math.max(1, Math.max(word.length(), name.length()) / 3)) {
                nearest = name;
                least = distance;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /**
     * Damerau and Levenshtein's distance in its restricted form: insertions, deletions, replacements and swaps of neighbours, none
     * edited twice.
     */
    static int distance(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int same = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(cost[i - 1][j - 1] + same, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[one.length()][other.length()];
    }
}
