package dev.muster.telemetry;

import dev.muster.model.RestartPolicy;
import dev.muster.spi.Telemetry.LogFindings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Searches the last part of a log for what explains the end of its process. */
final class LogExamination {
    private static final int LAST = 1 << 20;
    private static final int MOST_LINES = 20;
    private static final int LONGEST_LINE = 500;
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final String DISK_FULL = "No space left on device";
    /** How PyTorch's C++ writes the stack below its message, often more lines than are looked at. */
    private static final String FRAME = "frame #";

    private final Consumer<String> remark;

    LogExamination(Consumer<String> remark) {
        this.remark = remark;
    }

    LogFindings of(Path log, List<RestartPolicy.Rule> rules) {
        String text;
        try {
            text = last(log);
        } catch (NoSuchFileException nothingSaid) {
            return LogFindings.NONE;
        } catch (IOException failed) {
            remark.accept("its log cannot be read: " + failed);
            return LogFindings.NONE;
        }
        Set<Integer> found = new HashSet<>();
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).log().isPresent() && isFound(i, rules.get(i).log().get(), text)) {
                found.add(i);
            }
        }
        LauncherEpilogue round = LauncherEpilogue.of(text);
        List<String> lastLines = lastLines(MpirunPage.aboveItIn(LostDaemon.upToItIn(round.said())));
        Optional<List<String>> lostPeer = LostPeer.toldIn(lastLines);
        Optional<List<String>> error = ErrorLine.endOfATracebackIn(lastLines);
        return new LogFindings(
                round.text().contains(DISK_FULL),
                KilledChild.isToldIn(round.text()),
                lostPeer.isPresent(),
                found,
                SharedMemory.isToldFullIn(round.text()),
                lostPeer.or(() -> error).or(() -> upTo(DISK_FULL, lastLines)).orElse(lastLines));
    }

    /** What a program like dd says after its error is no reason. */
    private static Optional<List<String>> upTo(String words, List<String> lines) {
        for (int at = lines.size() - 1; at >= 0; at--) {
            if (lines.get(at).contains(words)) {
                return Optional.of(lines.subList(0, at + 1));
            }
        }
        return Optional.empty();
    }

    private static String last(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log)) {
            long start = Math.max(0, channel.size() - LAST);
            ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - start));
            while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {
                // Until it is full or the file ends.
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }

    /** A user's pattern may take for ever on some text; then it is as if it were not found, and that is said. */
    private boolean isFound(int rule, Pattern pattern, String text) {
        Pattern inLines = Pattern.compile(pattern.pattern(), pattern.flags() | Pattern.MULTILINE);
        try {
            return inLines.matcher(new ImpatientText(text, PATIENCE)).find();
        } catch (ImpatientText.TooSlow | StackOverflowError tooMuch) {
            remark.accept(
                    "the pattern of restart.rules[" + rule + "].log took too long on its log and counts as not found;"
                            + " write it without nested repetitions");
            return false;
        }
    }

    private static List<String> lastLines(String text) {
        // The last lines lie in the last part, whatever the rest is.
        String part = text.substring(Math.max(0, text.length() - MOST_LINES * 2 * LONGEST_LINE));
        List<String> lines = Arrays.stream(part.split("\n"))
                .filter(line -> !line.startsWith(FRAME))
                .map(LogExamination::shown)
                .toList();
        return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    }

    /** What a terminal would show of the line, cut to a sensible length. */
    private static String shown(String line) {
        String last = line.substring(line.lastIndexOf('\r') + 1);
        return last.length() <= LONGEST_LINE ? last : last.substring(0, LONGEST_LINE) + "\u2026";
    }
}
