package dev.muster.backend.kubernetes;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a job can be written as, for people who apply it themselves. The text form is the lower-case name. */
public enum ManifestKind {
    /** A TFJob of Kubeflow's training operator. */
    TFJOB(Optional.of(TrainingKind.TFJOB)),
    /** A PyTorchJob of the same. */
    PYTORCHJOB(Optional.of(TrainingKind.PYTORCHJOB)),
    /** An MPIJob of the same. */
    MPIJOB(Optional.of(TrainingKind.MPIJOB)),
    /** Pods and a headless Service, which need no operator. */
    PODS(Optional.empty());

    private final Optional<TrainingKind> training;

    ManifestKind(Optional<TrainingKind> training) {
        this.training = training;
    }

    Optional<TrainingKind> training() {
        return training;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind that is written so; empty when there is none. */
    public static Optional<ManifestKind> of(String text) {
        return Stream.of(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
}
