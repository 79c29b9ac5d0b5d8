package dev.muster.spec.tree;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece of job text. Scalars keep the spelling they were written with; what it means is for the field that reads it. */
public sealed interface Tree {
    /** What kind of thing this is, for messages. */
    String kind();

    /** Number of scalars, lists and mappings in it, itself included. */
    int size();

    /** How deep it is nested: 0 for a scalar. */
    int depth();

    /**
     * A scalar.
     *
     * @param text  as written, without quotes and with escapes resolved
     * @param plain whether it stood without quotes, so that it may be a number, a truth value or null
     */
    record Scalar(String text, boolean plain) implements Tree {
        /** Nothing: an empty value, {@code null} or {@code ~} without quotes. */
        public boolean isNull() {
            return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
        }

        @Override
        public String kind() {
            return isNull() ? "nothing" : "a single value";
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public int depth() {
            return 0;
        }
    }

    /** A list. */
    record Items(List<Tree> items) implements Tree {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }

        @Override
        public int size() {
            return 1 + items.stream().mapToInt(Tree::size).sum();
        }

        @Override
        public int depth() {
            return 1 + items.stream().mapToInt(Tree::depth).max().orElse(0);
        }
    }

    /** A mapping, in the order it was written. */
    record Entries(Map<String, Tree> entries) implements Tree {
        public static final Entries NONE = new Entries(Map.of());

        public Entries {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        @Override
        public String kind() {
            return "a mapping";
        }

        @Override
        public int size() {
            return 1 + entries.values().stream().mapToInt(Tree::size).sum();
        }

        @Override
        public int depth() {
            return 1 + entries.values().stream().mapToInt(Tree::depth).max().orElse(0);
        }
    }
}
