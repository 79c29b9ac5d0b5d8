package dev.muster.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One report of a process. A field of an unknown name or a wrong kind is passed over and named among the problems; the rest holds.
 *
 * @param step       the step it speaks of: that of the checkpoint when it is of that alone, else the training's
 * @param total      steps in all
 * @param epoch      epoch
 * @param metrics    finite value by name
 * @param withoutValue metrics it names with NaN, an infinity or a number beyond a double: JSON has none of these
 * @param checkpoint entry of the checkpoint folder that is whole
 * @param ofCheckpoint whether it names a checkpoint, be it a wrong one, and says nothing of the training
 * @param badRecords bad records so far
 * @param ofRanks   what Muster's own launcher says of the ranks below it
 * @param problems   what was passed over; when the line is no JSON object, that alone
 */
record Report(
        OptionalLong step,
        OptionalLong total,
        OptionalDouble epoch,
        Map<String, Double> metrics,
        Set<String> withoutValue,
        Optional<String> checkpoint,
        boolean ofCheckpoint,
        OptionalLong badRecords,
        Optional<String> ofRanks,
        List<String> problems) {
    private static final int MOST_METRICS = 256;
    private static final int LONGEST_NAME = 255;
    private static final double LARGEST_WHOLE = 1L << 53;

    private static final Set<String> TRAINING = Set.of("total", "epoch", "metrics");

    /** Reads a line; never throws. */
    static Report read(byte[] line) {
        List<String> problems = new ArrayList<>();
        Map<String, Object> fields = Map.of();
        try {
            fields = JsonScanner.object(new String(line, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException noJson) {
            problems.add("it is no JSON object: " + noJson.getMessage());
        }
        OptionalLong step = OptionalLong.empty();
        OptionalLong total = OptionalLong.empty();
        OptionalLong badRecords = OptionalLong.empty();
        OptionalDouble epoch = OptionalDouble.empty();
        Map<String, Double> metrics = new LinkedHashMap<>();
        Set<String> withoutValue = new LinkedHashSet<>();
        Optional<String> checkpoint = Optional.empty();
        Optional<String> ofRanks = Optional.empty();
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            String name = field.getKey();
            Object value = field.getValue();
            switch (name) {
                case "step" -> step = count(name, value, problems);
                case "total" -> total = count(name, value, problems);
                case "badRecords" -> badRecords = count(name, value, problems);
                case "epoch" -> epoch = epoch(value, problems);
                case "metrics" -> metrics(value, metrics, withoutValue, problems);
                case "checkpoint" -> checkpoint = checkpoint(value, problems);
                case "ranks" -> ofRanks = ofRanks(value, problems);
                default -> problems.add(shown(name) + " is no field of a report");
            }
        }
        boolean ofCheckpoint =
                fields.containsKey("checkpoint") && TRAINING.stream().noneMatch(fields::containsKey);
        return new Report(
                step, total, epoch, metrics, withoutValue, checkpoint, ofCheckpoint, badRecords, ofRanks, problems);
    }

    private static OptionalLong count(String name, Object value, List<String> problems) {
        if (value instanceof Double number && number >= 0 && number <= LARGEST_WHOLE && number == Math.rint(number)) {
            return OptionalLong.of(number.longValue());
        }
        problems.add(name + " is no whole number from 0");
        return OptionalLong.empty();
    }

    private static OptionalDouble epoch(Object value, List<String> problems) {
        if (value instanceof Double number && Double.isFinite(number) && number >= 0) {
            return OptionalDouble.of(number);
        }
        problems.add("epoch is no number from 0");
        return OptionalDouble.empty();
    }

    private static void metrics(
            Object value, Map<String, Double> metrics, Set<String> withoutValue, List<String> problems) {
        if (!(value instanceof Map<?, ?> map)) {
            problems.add("metrics is no object");
            return;
        }
        for (Map.Entry<?, ?> metric : map.entrySet()) {
            String name = (String) metric.getKey();
            if (!(metric.getValue() instanceof Double number)) {
                problems.add("metric " + shown(name) + " is no number");
            } else if (!isPlain(name)) {
                problems.add("the name of metric " + shown(name) + " is empty, too long or has control characters");
            } else if (!Double.isFinite(number)) {
                problems.add("metric " + shown(name) + " is no finite number");
                withoutValue.add(name);
            } else if (metrics.size() == MOST_METRICS) {
                problems.add("more than " + MOST_METRICS + " metrics");
                return;
            } else {
                metrics.put(name, number);
            }
        }
    }

    private static Optional<String> checkpoint(Object value, List<String> problems) {
        if (value instanceof String name
                && isPlain(name)
                && name.indexOf('/') < 0
                && !name.equals(".")
                && !name.equals("..")) {
            return Optional.of(name);
        }
        problems.add("checkpoint is no entry of MUSTER_CHECKPOINT_DIR");
        return Optional.empty();
    }

    private static Optional<String> ofRanks(Object value, List<String> problems) {
        if (value instanceof String sentence && isPlain(sentence)) {
            return Optional.of(sentence);
        }
        problems.add("ranks is no sentence");
        return Optional.empty();
    }

    /** Whether it can stand on a line by itself. */
    static boolean isPlain(String name) {
        return !name.isBlank()
                && name.length() <= LONGEST_NAME
                && name.chars().noneMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029');
    }

    private static String shown(String name) {
        return "\"" + (name.length() <= 40 ? name : name.substring(0, 40) + "\u2026") + "\"";
    }
}
