package dev.muster.cli.screen;

import dev.muster.api.ProgressDocument;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Lines;
import dev.muster.cli.format.Numbers;
import dev.muster.cli.format.TextWidth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How far a training is, on one line. */
final class ProgressLine {
    private static final List<Integer> BARS = List.of(20, 10, 5);
    private static final int MOST_METRICS = 4;

    private ProgressLine() {}

    /** Such as {@code step 412/938 (44 %)  epoch 1  loss 0.41  ETA 1m 30s}; empty when nothing was reported. */
    static String of(ProgressDocument progress) {
        return String.join("  ", parts(progress));
    }

    /** The same with a bar before it, as much of both as fits; empty when nothing was reported. */
    static String of(ProgressDocument progress, int columns) {
        List<String> parts = parts(progress);
        if (parts.isEmpty()) {
            return "";
        }
        String whole = String.join("  ", parts);
        for (int width : BARS) {
            String bar = bar(progress, width);
            if (TextWidth.of(bar + whole) <= columns) {
                return bar + whole;
            }
        }
        return Lines.join(parts, columns);
    }

    private static List<String> parts(ProgressDocument progress) {
        List<String> parts = new ArrayList<>();
        if (progress.step().isPresent()) {
            parts.add("step " + progress.step().getAsLong() + ofTotal(progress));
        }
        if (progress.epoch().isPresent()) {
            parts.add("epoch " + Numbers.show(progress.epoch().getAsDouble()));
        }
        parts.addAll(metrics(progress.metrics()));
        if (progress.etaSeconds().isPresent() && isAhead(progress)) {
            long milliseconds = Math.round(progress.etaSeconds().getAsDouble() * 1000);
            parts.add("ETA " + Durations.show(Duration.ofMillis(milliseconds)));
        }
        return parts;
    }

    /** Metrics with their values, the first few in their order. */
    static List<String> metrics(Map<String, Double> metrics) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Double> metric : metrics.entrySet()) {
            if (parts.size() < MOST_METRICS) {
                parts.add(metric.getKey() + " " + Numbers.show(metric.getValue()));
            }
        }
        return parts;
    }

    /** A bar when step and total are known, and a blank behind it; else empty. */
    private static String bar(ProgressDocument progress, int width) {
        if (progress.step().isEmpty() || total(progress) <= 0) {
            return "";
        }
        int full = (int) Math.round(width * share(progress));
        String head = full > 0 && full < width ? ">" : "";
        return "[" + "=".repeat(full - head.length()) + head + " ".repeat(width - full) + "] ";
    }

    private static boolean isAhead(ProgressDocument progress) {
        double seconds = progress.etaSeconds().getAsDouble();
        return Double.isFinite(seconds) && seconds > 0;
    }

    private static String ofTotal(ProgressDocument progress) {
        long total = total(progress);
        return total <= 0 ? "" : "/" + total + " (" + (int) Math.floor(100 * share(progress)) + " %)";
    }

    private static double share(ProgressDocument progress) {
        return Math.clamp((double) progress.step().getAsLong() / total(progress), 0, 1);
    }

    private static long total(ProgressDocument progress) {
        return progress.total().orElse(0);
    }
}
