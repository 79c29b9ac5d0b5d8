package dev.muster.backend.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The files of one attempt that tell what became of it; written by its shim, besides {@code facts} and {@code asked}, and read by
 * whichever service lives. See {@code shim.sh}.
 */
record AttemptFolder(Path path) {
    /** The program: its pid, start in clock ticks, and when it was started. */
    record Started(long pid, long start, Instant at) {}

    /**
     * The end of the program.
     *
     * @param code   exit code, 128 + n for signal n
     * @param kills  how often its memory limit made the kernel kill a process of it
     * @param uptime clock ticks since boot when it ended
     * @param at     when it ended
     */
    record Exit(int code, long kills, long uptime, Instant at) {}

    /** A process that was sent SIGTERM. */
    record Asked(long pid, long start) {}

    /** Whether the attempt was ever started. */
    boolean isClaimed() {
        return Files.exists(claimFile());
    }

    /** Whether it was started by who writes this text. */
    boolean isClaimedBy(String text) throws IOException {
        return read(claimFile()).equals(Optional.of(text));
    }

    /** What its shim wrote when it claimed the start. */
    String claimText() throws IOException {
        return read(claimFile()).orElseThrow(() -> new IOException(claimFile() + " is not written"));
    }

    /** What its shim wrote when the program was started. */
    String startedText() throws IOException {
        return read(startedFile()).orElseThrow(() -> new IOException(startedFile() + " is not written"));
    }

    /** When it was held ready and became another attempt, which is named there. */
    Optional<Instant> taken() throws IOException {
        Path file = takenFile();
        return read(file).isPresent() ? Optional.of(time(file)) : Optional.empty();
    }

    /** The shim; empty before it has told who it is. */
    Optional<ProcessIdentity> claim() throws IOException {
        return read(claimFile()).flatMap(ProcessIdentity::parse);
    }

    Optional<Started> started() throws IOException {
        Path file = startedFile();
        long[] numbers = numbers(read(file));
        return numbers.length == 2 ? Optional.of(new Started(numbers[0], numbers[1], time(file))) : Optional.empty();
    }

    Optional<Exit> exit() throws IOException {
        Path file = path.resolve("exit");
        // The last number is seconds with two decimals: without the point it counts clock ticks.
        long[] numbers = numbers(read(file).map(text -> text.replace(".", "")));
        return numbers.length == 3
                ? Optional.of(new Exit((int) numbers[0], numbers[1], numbers[2], time(file)))
                : Optional.empty();
    }

    List<Asked> asked() throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (String line : read(path.resolve("asked")).orElse("").lines().toList()) {
            long[] numbers = numbers(Optional.of(line + "\n"));
            if (numbers.length == 2) {
                asked.add(new Asked(numbers[0], numbers[1]));
            }
        }
        return asked;
    }

    void addAsked(Collection<Asked> asked) throws IOException {
        StringBuilder lines = new StringBuilder();
        asked.forEach(
                one -> lines.append(one.pid()).append(' ').append(one.start()).append('\n'));
        Files.writeString(path.resolve("asked"), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    Optional<Facts> facts() throws IOException {
        return read(path.resolve("facts")).map(Facts::parse);
    }

    void write(Facts facts) throws IOException {
        Path fresh = path.resolve("facts.new");
        Files.writeString(fresh, facts.text());
        Files.move(fresh, path.resolve("facts"), StandardCopyOption.ATOMIC_MOVE);
    }

    Path claimFile() {
        return path.resolve("claim");
    }

    Path startedFile() {
        return path.resolve("started");
    }

    Path takenFile() {
        return path.resolve("became");
    }

    /** Content of a file that is there and written to its end, as a closing newline shows. */
    private static Optional<String> read(Path file) throws IOException {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.endsWith("\n") ? Optional.of(text) : Optional.empty();
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    private static Instant time(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toInstant();
    }

    private static long[] numbers(Optional<String> text) {
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] fields = text.get().strip().split(" ");
        long[] numbers = new long[fields.length];
        for (int i = 0; i < fields.length; i++) {
            if (!fields[i].matches("\\d{1,18}")) {
                return new long[0];
            }
            numbers[i] = Long.parseLong(fields[i]);
        }
        return numbers;
    }
}
