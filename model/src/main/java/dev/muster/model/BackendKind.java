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
}
