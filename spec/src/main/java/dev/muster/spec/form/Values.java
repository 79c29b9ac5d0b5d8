package dev.muster.spec.form;

import dev.muster.spec.tree.Tree;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was read from a block. */
public final class Values {
    private final At at;
    private final Map<String, Object> read;
    private final Map<String, Tree> given;

    Values(At at, Map<String, Object> read, Map<String, Tree> given) {
        this.at = at;
        this.read = Map.copyOf(read);
        this.given = Map.copyOf(given);
    }

    /** The value of a field; empty when it was not given or could not be read. */
    @SuppressWarnings("unchecked") // Put there by the form of the same field.
    public <T> Optional<T> get(Field<T> field) {
        return Optional.ofNullable((T) read.get(field.name()));
    }

    public <T> T get(Field<T> field, T otherwise) {
        return get(field).orElse(otherwise);
    }

    /** Whether the field was given, readable or not. */
    public boolean has(Field<?> field) {
        return given.containsKey(field.name());
    }

    /** The place of a field, given or not, for problems about it. */
    public At at(Field<?> field) {
        return at.field(field.name(), given.getOrDefault(field.name(), new Tree.Scalar("", true)));
    }

    /** Tells that a field is missing, unless it was given and is wrong, which was told already. */
    public void require(Field<?> field, String example) {
        if (!has(field)) {
            at(field).wrong("is required", Optional.of(example));
        }
    }

    /** All values by name. */
    public Map<String, Object> byName() {
        return new TreeMap<>(read);
    }
}
