package dev.muster.model;

import java.util.Optional;

/**
 * The software around the training code.
 *
 * @param python Python environment, absent when the job text names none
 * @param image  container image, needed on Docker and Kubernetes, without effect elsewhere
 */
public record EnvironmentSpec(Optional<Python> python, Optional<String> image) {
    public static final EnvironmentSpec NONE = new EnvironmentSpec(Optional.empty(), Optional.empty());

    /**
     * A virtual environment keyed by content.
     *
     * @param requirements   requirements file in pip's form, relative to the job file's folder
     * @param interpreter    the Python that makes the environment: a name on PATH or an absolute path
     * @param systemPackages whether the interpreter's own packages are seen inside
     */
    public record Python(Optional<String> requirements, Optional<String> interpreter, boolean systemPackages) {}

    /** This where set, else the other: a role's environment over its job's. */
    public EnvironmentSpec over(EnvironmentSpec base) {
        return new EnvironmentSpec(python.isPresent() ? python : base.python, image.isPresent() ? image : base.image);
    }
}
