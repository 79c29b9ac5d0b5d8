package dev.muster.spec.tree;

import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Builds a tree from the events of a YAML parser, with bounds, so that no text can take more than its share of memory or stack. */
final class TreeBuilder {
    static final int MAX_DEPTH = 64;
    static final int MAX_SIZE = 100_000;
    private static final int MAX_KEY = 1000;
    private static final Tree NOTHING = new Tree.Scalar("", true);

    private final Iterator<Event> events;
    private final Consumer<Problem> problems;
    private final Map<Anchor, Tree> anchors = new HashMap<>();
    private int size;

    TreeBuilder(Iterator<Event> events, Consumer<Problem> problems) {
        this.events = events;
        this.problems = problems;
    }

    /** The one document of the stream. */
    Optional<Tree> document() {
        Optional<Tree> tree = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (!(event instanceof NodeEvent node)) {
                continue;
            }
            if (tree.isPresent()) {
                problems.accept(Problem.of(
                        "", "a job text is one document; another starts" + line(event), "one file for each job"));
                return tree;
            }
            tree = Optional.of(node(node, "", 0));
        }
        if (tree.isEmpty()) {
            problems.accept(Problem.of("", "the job text is empty", "name, framework and command are required"));
        }
        return tree;
    }

    private Tree node(NodeEvent event, String path, int depth) {
        count(1);
        bound(depth);
        Tree tree = switch (event) {
            case AliasEvent alias -> alias(alias, path, depth);
            case ScalarEvent scalar -> scalar(scalar, path);
            case CollectionStartEvent start -> collection(start, path, depth);
            default -> throw new IllegalStateException("unknown YAML event " + event.getEventId());
        };
        if (!(event instanceof AliasEvent)) {
            event.getAnchor().ifPresent(anchor -> anchors.put(anchor, tree));
        }
        return tree;
    }

    private Tree alias(AliasEvent alias, String path, int depth) {
        Tree tree = anchors.get(alias.getAlias());
        if (tree == null) {
            problems.accept(Problem.of(
                    path,
                    "*" + alias.getAlias() + line(alias) + " refers to an anchor that is not complete before it"));
            return NOTHING;
        }
        count(tree.size());
        bound(depth + tree.depth());
        return tree;
    }

    private Tree scalar(ScalarEvent scalar, String path) {
        refuseTag(scalar.getTag(), path, scalar);
        return new Tree.Scalar(scalar.getValue(), scalar.isPlain());
    }

    private Tree collection(CollectionStartEvent start, String path, int depth) {
        refuseTag(start.getTag(), path, start);
        return start.getEventId() == Event.ID.MappingStart ? entries(path, depth) : items(path, depth);
    }

    private Tree items(String path, int depth) {
        List<Tree> items = new ArrayList<>();
        while (events.next() instanceof NodeEvent item) {
            items.add(node(item, path + "[" + items.size() + "]", depth + 1));
        }
        return new Tree.Items(items);
    }

    private Tree entries(String path, int depth) {
        Map<String, Tree> entries = new LinkedHashMap<>();
        Map<String, String> lines = new HashMap<>();
        while (events.next() instanceof NodeEvent event) {
            Optional<String> key = key(event, path, depth);
            String inside =
                    key.map(name -> path.isEmpty() ? name : path + "." + name).orElse(path);
            Tree value = node((NodeEvent) events.next(), inside, depth + 1);
            if (key.isEmpty()) {
                continue;
            }
            if (entries.putIfAbsent(key.get(), value) == null) {
                lines.put(key.get(), line(event));
            } else {
                problems.accept(Problem.of(
                        inside,
                        "is given twice:" + lines.get(key.get()) + " and" + line(event),
                        "keep one of the two"));
            }
        }
        return new Tree.Entries(entries);
    }

    /** The name of a field; empty, and told, when there is none that could be meant. */
    private Optional<String> key(NodeEvent event, String path, int depth) {
        if (event instanceof ScalarEvent scalar) {
            count(1);
            refuseTag(scalar.getTag(), path, event);
            scalar.getAnchor()
                    .ifPresent(anchor -> anchors.put(anchor, new Tree.Scalar(scalar.getValue(), scalar.isPlain())));
            if (scalar.getValue().equals("<<") && scalar.isPlain()) {
                problems.accept(Problem.of(
                        path,
                        "merge keys (<<" + line(event) + ") are no YAML 1.2",
                        "write the fields out, or an alias"));
                return Optional.empty();
            }
            if (scalar.getValue().length() <= MAX_KEY) {
                return Optional.of(scalar.getValue());
            }
        } else {
            node(event, path, depth + 1);
        }
        problems.accept(Problem.of(path, "a key" + line(event) + " is a text of at most " + MAX_KEY + " characters"));
        return Optional.empty();
    }

    private void refuseTag(Optional<String> tag, String path, Event event) {
        if (tag.isPresent() && !tag.get().equals("!")) {
            problems.accept(Problem.of(
                    path, "tags such as " + tag.get() + " have no meaning here" + line(event), "put a text in quotes"));
        }
    }

    private void count(int more) {
        size += more;
        if (size > MAX_SIZE) {
            throw new TooMuch(
                    "job text holds at most " + MAX_SIZE + " values, aliases counted as often as they are used");
        }
    }

    private static void bound(int depth) {
        if (depth > MAX_DEPTH) {
            throw new TooMuch("job text is nested at most " + MAX_DEPTH + " deep");
        }
    }

    private static String line(Event event) {
        return event.getStartMark()
                .map(Mark::getLine)
                .map(line -> " on line " + (line + 1))
                .orElse("");
    }

    /** A bound was passed. */
    static final class TooMuch extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooMuch(String message) {
            super(message);
        }
    }
}
