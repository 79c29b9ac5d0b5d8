package dev.muster.telemetry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How far one attempt was read and what it had said, so that a service that starts anew goes on from there. A text file of one
 * {@code name value} a line, replaced by rename; a line that cannot be read is as if it were not there.
 */
final class SavedState {
    Instant since = Instant.EPOCH;
    long logOffset;
    long reportOffset;
    boolean reported;
    boolean stepReported;
    Optional<Instant> lastOutput = Optional.empty();
    OptionalLong step = OptionalLong.empty();
    Optional<Instant> stepAt = Optional.empty();
    OptionalLong total = OptionalLong.empty();
    OptionalDouble epoch = OptionalDouble.empty();
    OptionalLong badRecords = OptionalLong.empty();
    final Map<String, Double> metrics = new TreeMap<>();
    final List<String> checkpoints = new ArrayList<>();
    final Map<Path, Long> events = new LinkedHashMap<>();

    /** The state in the file; empty when there is no file. */
    static Optional<SavedState> read(Path file) throws IOException {
        SavedState state = new SavedState();
        try {
            for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
                try {
                    state.take(line);
                } catch (RuntimeException unreadable) {
                    // The rest of the state is worth having.
                }
            }
            return Optional.of(state);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private void take(String line) {
        String[] parts = line.split(" ", 3);
        String value = parts[1];
        switch (parts[0]) {
            case "since" -> since = Instant.parse(value);
            case "log" -> logOffset = Long.parseLong(value);
            case "reports" -> reportOffset = Long.parseLong(value);
            case "reported" -> reported = Boolean.parseBoolean(value);
            case "stepReported" -> stepReported = Boolean.parseBoolean(value);
            case "output" -> lastOutput = Optional.of(Instant.parse(value));
            case "step" -> step = OptionalLong.of(Long.parseLong(value));
            case "stepAt" -> stepAt = Optional.of(Instant.parse(value));
            case "total" -> total = OptionalLong.of(Long.parseLong(value));
            case "epoch" -> epoch = OptionalDouble.of(Double.parseDouble(value));
            case "bad" -> badRecords = OptionalLong.of(Long.parseLong(value));
            case "metric" -> metrics.put(parts[2], Double.parseDouble(value));
            case "checkpoint" -> checkpoints.add(line.substring("checkpoint ".length()));
            case "events" -> events.put(Path.of(parts[2]), Long.parseLong(value));
            default -> {}
        }
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("since " + since);
        lines.add("log " + logOffset);
        lines.add("reports " + reportOffset);
        lines.add("reported " + reported);
        lines.add("stepReported " + stepReported);
        lastOutput.ifPresent(at -> lines.add("output " + at));
        step.ifPresent(value -> lines.add("step " + value));
        stepAt.ifPresent(at -> lines.add("stepAt " + at));
        total.ifPresent(value -> lines.add("total " + value));
        epoch.ifPresent(value -> lines.add("epoch " + value));
        badRecords.ifPresent(value -> lines.add("bad " + value));
        metrics.forEach((name, value) -> lines.add("metric " + value + " " + name));
        checkpoints.forEach(name -> lines.add("checkpoint " + name));
        events.forEach((path, offset) -> lines.add("events " + offset + " " + path));
        Path half = file.resolveSibling(file.getFileName() + ".half");
        Files.write(half, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
