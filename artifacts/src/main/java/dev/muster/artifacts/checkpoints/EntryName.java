package dev.muster.artifacts.checkpoints;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of an entry of a checkpoint folder tells. The step is the last integer in the name, after endings that begin with a
 * letter ({@code .h5}, {@code .tar.gz}) are taken off; a number with a decimal point is a metric, not a step.
 */
final class EntryName {
    private static final Pattern ENDING = Pattern.compile("\\.[A-Za-z][A-Za-z0-9]*$");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)*");
    private static final int MOST_DIGITS = 18;
    private static final List<String> UNFINISHED_ENDINGS =
            List.of("~", ".tmp", ".temp", ".part", ".partial", ".incomplete");
    private static final Set<String> NOTES = Set.of(
            "cfg", "conf", "csv", "gif", "html", "ini", "jpg", "jsonl", "lock", "log", "md", "pid", "png", "py", "sh",
            "svg", "toml", "yaml", "yml");
    private static final Set<String> TEXTS = Set.of("json", "txt");
    private static final Set<String> WEIGHTS = Set.of(
            "bin",
            "ckpt",
            "distcp",
            "h5",
            "hdf5",
            "index",
            "keras",
            "msgpack",
            "npy",
            "npz",
            "pt",
            "pth",
            "safetensors");
    private static final Set<String> LATEST = Set.of("last", "latest", "current", "final");

    private EntryName() {}

    /** The step; absent for names without one and for names that are never the newest. */
    static OptionalLong step(String name) {
        return isBest(name) || isUnfinished(name) ? OptionalLong.empty() : number(name);
    }

    /** The last integer in the name, whatever the name says besides. */
    static OptionalLong number(String name) {
        OptionalLong last = OptionalLong.empty();
        Matcher number = NUMBER.matcher(withoutEndings(name));
        while (number.find()) {
            String digits = number.group();
            if (!digits.contains(".") && digits.length() <= MOST_DIGITS) {
                last = OptionalLong.of(Long.parseLong(digits));
            }
        }
        return last;
    }

    /** Whether it is a copy of the best so far, which is not the newest. */
    static boolean isBest(String name) {
        return words(name).contains("best");
    }

    /** Whether the name says that it is not finished: {@code tmp} or the like as a word, or as an ending. */
    static boolean isUnfinished(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return UNFINISHED_ENDINGS.stream().anyMatch(lower::endsWith)
                || lower.contains(".tempstate")
                || words(name).stream()
                        .anyMatch(word -> word.endsWith("tmp") || word.endsWith("temp") || word.equals("partial"));
    }

    /** Whether it is no checkpoint at all: hidden, a log, an event file, TensorFlow's own list. */
    static boolean isOther(String name) {
        return name.startsWith(".")
                || name.startsWith("events.out.tfevents")
                || name.equals("checkpoint")
                || name.equals("lost+found")
                || NOTES.contains(ending(name));
    }

    /** Whether it is a text that counts as a checkpoint only where nothing else does. */
    static boolean isText(String name) {
        return TEXTS.contains(ending(name));
    }

    /** Whether files with that ending hold weights, so that an empty one means that something is missing. */
    static boolean isWeights(String name) {
        return WEIGHTS.contains(ending(name));
    }

    /** Whether it calls itself the newest without saying its step. */
    static boolean isLatest(String name) {
        return words(name).stream().anyMatch(LATEST::contains);
    }

    /** The ending without its point, in lower case; empty when there is none. */
    static String ending(String name) {
        Matcher ending = ENDING.matcher(name);
        return ending.find() ? name.substring(ending.start() + 1).toLowerCase(Locale.ROOT) : "";
    }

    private static String withoutEndings(String name) {
        String rest = name;
        for (Matcher ending = ENDING.matcher(rest); ending.find(); ending = ENDING.matcher(rest)) {
            rest = rest.substring(0, ending.start());
        }
        return rest;
    }

    private static List<String> words(String name) {
        return List.of(name.toLowerCase(Locale.ROOT).split("[^a-z]+"));
    }
}
