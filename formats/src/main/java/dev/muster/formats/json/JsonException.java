package dev.muster.formats.json;

import java.util.List;

/** A text is no JSON, or a JSON value is not what was expected. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final transient List<Wrong> all;

    /**
     * What is wrong with one field.
     *
     * @param field   path of the field, empty for the whole document
     * @param message the rule that is broken and what was seen
     */
    public record Wrong(String field, String message) {}

    public JsonException(String field, String message) {
        this(List.of(new Wrong(field, message)));
    }

    /** @param all what is wrong, at least one thing */
    JsonException(List<Wrong> all) {
        super(String.join("; ", all.stream().map(Wrong::message).toList()));
        this.all = List.copyOf(all);
    }

    /** The first field that is wrong. */
    public String field() {
        return all.getFirst().field();
    }

    public List<Wrong> all() {
        return all;
    }
}
