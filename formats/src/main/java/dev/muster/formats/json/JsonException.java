package dev.muster.formats.json;

/** A text is no JSON, or a JSON value is not what was expected. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final String field;

    /**
     * @param field   path of the field, empty for the whole document
     * @param message the rule that is broken and what was seen
     */
    public JsonException(String field, String message) {
        super(message);
        this.field = field;
    }

    public String field() {
        return field;
    }
}
