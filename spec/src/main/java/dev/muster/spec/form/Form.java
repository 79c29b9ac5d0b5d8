package dev.muster.spec.form;

import java.util.Optional;

/**
 * How one kind of value is written.
 *
 * @param <T> what it becomes
 */
@FunctionalInterface
public interface Form<T> {
    /** The value; empty, and told to the place, when it is not of this form. */
    Optional<T> read(At at);

    /** The block whose fields stand inside a value of this form, for those that have one. */
    default Optional<Inside> inside() {
        return Optional.empty();
    }

    /**
     * A block inside a value.
     *
     * @param step  what stands between the field's path and the block's fields: empty, {@code .NAME} or {@code []}
     * @param block the fields
     */
    record Inside(String step, Block block) {}
}
