package dev.muster.model;

/** Whose exit 0 makes the job succeed. */
public sealed interface SuccessPolicy {
    /** The framework's own rule. */
    record Default() implements SuccessPolicy {}

    /** The chief, else worker 0. */
    record Chief() implements SuccessPolicy {}

    /** Every process that is no parameter server and no sidecar. */
    record All() implements SuccessPolicy {}

    /** The first exit 0 of a process that is no sidecar. */
    record AnyProcess() implements SuccessPolicy {}

    /** All processes of one role. */
    record OfRole(String role) implements SuccessPolicy {}

    /** The spelling in job text. */
    default String text() {
        return switch (this) {
            case Default ignored -> "default";
            case Chief ignored -> "chief";
            case All ignored -> "all";
            case AnyProcess ignored -> "any";
            case OfRole of -> "role:" + of.role();
        };
    }
}
