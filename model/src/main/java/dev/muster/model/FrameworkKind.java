package dev.muster.model;

import java.util.Optional;

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

    /**
     * The role of the process that a framework needs beside its workers and that a job text need not write: where Horovod's workers
     * find each other, XGBoost's tracker, MPI's launcher. Jobs have one such process; {@link JobSpec#companion} tells of a job's.
     */
    public Optional<String> companion() {
        return switch (this) {
            case HOROVOD -> Optional.of("rendezvous");
            case XGBOOST -> Optional.of("tracker");
            case MPI -> Optional.of("launcher");
            case TENSORFLOW, PYTORCH, JAX, JVM, PLAIN -> Optional.empty();
        };
    }

    /**
     * Whether processes of a group run what another one of it sends them, so that they share a secret by which they know each other; it is
     * among the job's secrets as {@link JobSpec#GROUP_SECRET}.
     */
    public boolean hasGroupSecret() {
        return this == MPI;
    }

    /** The spelling used in job text and in every answer. */
    public String text() {
        return Texts.lower(this);
    }
}
