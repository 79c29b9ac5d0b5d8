package dev.muster.model;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One immutable version of a registered model.
 *
 * @param name      name of the model
 * @param version   from 1, without gaps at the time it was given
 * @param digest    {@code sha256:} and the digest over paths and bytes of its files
 * @param job       the job that trained it
 * @param createdAt when it became visible
 * @param lineage   where it comes from: code digest, data, framework, metrics, as text by name
 */
public record ModelVersion(
        String name, int version, String digest, JobId job, Instant createdAt, Map<String, String> lineage) {
    /** What {@link #lineage} calls the project. */
    public static final String PROJECT = "project";

    public ModelVersion {
        Texts.require(version >= 1, "model versions count from 1");
        lineage = new TreeMap<>(lineage);
    }

    /** The project of the job that trained it. */
    public String project() {
        return lineage.getOrDefault(PROJECT, Origin.DEFAULT_PROJECT);
    }
}
