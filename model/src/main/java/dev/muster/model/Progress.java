package dev.muster.model;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How far the training is, as its chief last said.
 *
 * @param step       training step
 * @param total      steps in all
 * @param epoch      epoch
 * @param metrics    newest value of each metric
 * @param etaSeconds seconds left, guessed from the pace so far
 */
public record Progress(
        OptionalLong step,
        OptionalLong total,
        OptionalDouble epoch,
        Map<String, Double> metrics,
        OptionalDouble etaSeconds) {
    public static final Progress NONE = new Progress(
            OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty(), Map.of(), OptionalDouble.empty());

    public Progress {
        metrics = Collections.unmodifiableMap(new TreeMap<>(metrics));
    }
}
