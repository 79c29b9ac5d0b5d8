package dev.muster.model;

/** Where processes run. The text form is the lower-case name. */
public enum BackendKind {
    LOCAL,
    DOCKER,
    KUBERNETES,
    KUBEFLOW;

    /** The spelling used in job text and in every answer. */
    public String text() {
        return Texts.lower(this);
    }

    /** Whether its processes are reached only from the host they run on. */
    public boolean isBoundToHost() {
        return switch (this) {
            case LOCAL, DOCKER -> true;
            case KUBERNETES, KUBEFLOW -> false;
        };
    }
}
