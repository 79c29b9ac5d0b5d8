package dev.muster.spec.tree;

import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code --set path=value}. The path is field names with points between them and {@code [i]} for an item of a list, the item after
 * the last included; mappings on the way are made when they are missing. The value is YAML, but text where the path leads into
 * {@code env}, or names a secret's variable.
 *
 * @param path  as given
 * @param value as given
 */
public record Setting(String path, String value) {
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)((?:\\[\\d{1,4}])*)");
    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");
    private static final Pattern TEXT = Pattern.compile("(roles\\.[^.]+\\.)?env\\..+|secrets\\..+\\.env");

    /** Reads {@code path=value}; the value starts after the first {@code =}. */
    public static Optional<Setting> parse(String text, Consumer<Problem> problems) {
        int equals = text.indexOf('=');
        if (equals > 0) {
            Setting setting = new Setting(text.substring(0, equals), text.substring(equals + 1));
            if (setting.steps().isPresent()) {
                return Optional.of(setting);
            }
        }
        problems.accept(Problem.of(
                "--set " + (equals > 0 ? text.substring(0, equals) : text),
                "must be path=value, the path being names with points between them, [i] for an item of a list",
                "--set restart.max=3"));
        return Optional.empty();
    }

    /** The tree with the value in its place; the tree as it is, and a problem told, when there is no such place. */
    public Tree applyTo(Tree tree, Consumer<Problem> problems) {
        Optional<Tree> read =
                TEXT.matcher(path).matches() ? Optional.of(new Tree.Scalar(value, false)) : yaml(problems);
        try {
            return read.isPresent() ? set(tree, steps().orElseThrow(), read.get()) : tree;
        } catch (NoSuchPlace none) {
            problems.accept(Problem.of("--set " + path, none.getMessage()));
            return tree;
        }
    }

    private Optional<Tree> yaml(Consumer<Problem> problems) {
        if (value.isBlank()) {
            return Optional.of(new Tree.Scalar("", true));
        }
        return TreeReader.read(
                value,
                problem -> problems.accept(new Problem("--set " + path, problem.message(), problem.suggestion())));
    }

    /** Names as texts, indexes as numbers; empty when this is no path. */
    private Optional<List<Object>> steps() {
        List<Object> steps = new ArrayList<>();
        for (String word : path.split("\\.", -1)) {
            Matcher step = STEP.matcher(word);
            if (!step.matches()) {
                return Optional.empty();
            }
            steps.add(step.group(1));
            INDEX.matcher(step.group(2)).results().forEach(index -> steps.add(Integer.valueOf(index.group(1))));
        }
        return Optional.of(steps);
    }

    private static Tree set(Tree tree, List<Object> steps, Tree value) throws NoSuchPlace {
        if (steps.isEmpty()) {
            return value;
        }
        List<Object> rest = steps.subList(1, steps.size());
        if (steps.getFirst() instanceof Integer index) {
            List<Tree> items = new ArrayList<>(items(tree, index));
            Tree inside = index < items.size() ? items.remove((int) index) : new Tree.Scalar("", true);
            items.add(index, set(inside, rest, value));
            return new Tree.Items(items);
        }
        String name = (String) steps.getFirst();
        Map<String, Tree> entries = new LinkedHashMap<>(entries(tree, name));
        entries.put(name, set(entries.getOrDefault(name, new Tree.Scalar("", true)), rest, value));
        return new Tree.Entries(entries);
    }

    private static List<Tree> items(Tree tree, int index) throws NoSuchPlace {
        List<Tree> items = switch (tree) {
            case Tree.Items list -> list.items();
            case Tree.Scalar scalar when scalar.isNull() -> List.of();
            default -> throw new NoSuchPlace("[" + index + "] needs a list, here is " + tree.kind());
        };
        if (index > items.size()) {
            throw new NoSuchPlace("[" + index + "] is beyond the end of a list of " + items.size());
        }
        return items;
    }

    private static Map<String, Tree> entries(Tree tree, String name) throws NoSuchPlace {
        return switch (tree) {
            case Tree.Entries mapping -> mapping.entries();
            case Tree.Scalar scalar when scalar.isNull() -> Map.of();
            default -> throw new NoSuchPlace(name + " needs a mapping to stand in, here is " + tree.kind());
        };
    }

    private static final class NoSuchPlace extends Exception {
        private static final long serialVersionUID = 1L;

        NoSuchPlace(String message) {
            super(message);
        }
    }
}
