package dev.muster.cli.arguments;

import java.util.List;

/**
 * One option of a command.
 *
 * @param names    such as {@code -f} and {@code --follow}; the last one names it in {@link Arguments}
 * @param label    what stands for its value in help; empty for a switch without value
 * @param repeated whether it may be given several times, each counting; else the last one counts
 * @param meaning  what it does, half a sentence
 */
public record Option(List<String> names, String label, boolean repeated, String meaning) {
    public Option {
        names = List.copyOf(names);
    }

    /** A switch without value. */
    public static Option flag(String names, String meaning) {
        return new Option(List.of(names.split(" ")), "", false, meaning);
    }

    /** An option with a value. */
    public static Option value(String names, String label, String meaning) {
        return new Option(List.of(names.split(" ")), label, false, meaning);
    }

    /** An option with a value that may be given several times. */
    public static Option repeated(String names, String label, String meaning) {
        return new Option(List.of(names.split(" ")), label, true, meaning);
    }

    /** The name under which {@link Arguments} has it. */
    public String name() {
        return names.getLast();
    }

    public boolean hasValue() {
        return !label.isEmpty();
    }
}
