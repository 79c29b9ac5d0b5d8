package dev.muster.spec.form;

import dev.muster.spec.tree.Tree;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A mapping with known fields: a table of them. A field without a value counts as not given. */
public final class Block implements Form<Values> {
    private final Map<String, Field<?>> fields = new LinkedHashMap<>();

    private Block() {}

    public static Block of(Field<?>... fields) {
        Block block = new Block();
        Arrays.stream(fields).forEach(field -> block.fields.put(field.name(), field));
        return block;
    }

    Collection<Field<?>> fields() {
        return fields.values();
    }

    @Override
    public Optional<Inside> inside() {
        return Optional.of(new Inside("", this));
    }

    /** Every field that could be read; unknown and wrong ones are told. */
    @Override
    public Optional<Values> read(At at) {
        return switch (at.tree()) {
            case Tree.Entries(Map<String, Tree> entries) -> Optional.of(values(at, entries));
            case Tree.Scalar scalar when scalar.isNull() -> Optional.of(values(at, Map.of()));
            default ->
                at.wrong("must be a mapping with " + String.join(", ", fields.keySet()) + ", not "
                        + at.tree().kind());
        };
    }

    private Values values(At at, Map<String, Tree> entries) {
        Map<String, Object> read = new HashMap<>();
        Map<String, Tree> given = new HashMap<>();
        entries.forEach((name, tree) -> {
            Field<?> field = fields.get(name);
            if (field == null) {
                at.field(name, tree)
                        .wrong("is not a field here", at.reading().vocabulary().hint(name, at.path(), fields.keySet()));
            } else if (!(tree instanceof Tree.Scalar scalar && scalar.isNull())) {
                given.put(name, tree);
                field.form().read(at.field(name, tree)).ifPresent(value -> read.put(name, value));
            }
        });
        return new Values(at, read, given);
    }
}
