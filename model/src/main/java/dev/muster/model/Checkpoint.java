package dev.muster.model;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One checkpoint in the folder of a job.
 *
 * @param job     the job that wrote it
 * @param name    its entry in MUSTER_CHECKPOINT_DIR, for TensorFlow the prefix
 * @param step    the last integer in the name; absent for names that carry no step, such as {@code best}
 * @param path    what the framework's restore takes
 * @param whole   whether all of it is there and nobody writes to it any more
 * @param digest  SHA-256 over its files, recorded once when it became whole
 * @param savedAt time of its newest file
 */
public record Checkpoint(
        JobId job,
        String name,
        OptionalLong step,
        String path,
        boolean whole,
        Optional<String> digest,
        Instant savedAt) {}
