package dev.muster.model;

/** The frameworks whose launch contract Muster knows. The text form is the lower-case name. */
public enum FrameworkKind {
    TENSORFLOW,
    PYTORCH,
    HOROVOD,
    MPI,
    JAX,
    XGBOOST,
    JVM,
    PLAIN;

    /** The spelling used in job text and in every answer. */
    public String text() {
        return Texts.lower(this);
    }
}
