package dev.muster.control.decide;

import dev.muster.model.ProcessName;
import java.util.List;
import java.util.stream.Collectors;

/** Names of processes in a sentence, not more than a reader wants. */
final class Names {
    private static final int MOST = 5;

    private Names() {}

    static String of(List<ProcessName> names) {
        int shown = names.size() > MOST ? MOST - 1 : names.size() - 1;
        String first = names.stream().limit(shown).map(String::valueOf).collect(Collectors.joining(", "));
        String last = names.size() > MOST
                ? (names.size() - shown) + " others"
                : names.getLast().toString();
        return first.isEmpty() ? last : first + " and " + last;
    }
}
