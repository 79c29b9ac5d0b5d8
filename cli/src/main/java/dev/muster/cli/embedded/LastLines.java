package dev.muster.cli.embedded;

import dev.muster.api.ServiceHome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The end of what the service said, to show when it does not start. Only what tells a user something: no lines of its JVM's own log and
 * no stack traces, which stay in the files.
 */
final class LastLines {
    private static final int COUNT = 12;
    private static final int BYTES = 1 << 14;

    private static final Pattern OF_THE_JVM = Pattern.compile("\\[\\d+[.,]\\d+s]\\[\\w+ *]\\[.*");
    private static final Pattern STACK_TRACE =
            Pattern.compile("\\s+at \\S+\\(.*|\\s*\\.\\.\\. \\d+ more|\\s*Caused by: .*");

    private LastLines() {}

    /** Beginning with the end of a line; empty when nothing was said. */
    static String of(ServiceHome home) {
        StringBuilder text = new StringBuilder();
        for (Path file : List.of(ServiceLauncher.output(home), home.serviceLog())) {
            List<String> lines = end(file, 0);
            if (!lines.isEmpty()) {
                text.append("\nlast lines of ").append(file).append(':');
                lines.subList(Math.max(0, lines.size() - COUNT), lines.size())
                        .forEach(line -> text.append("\n  ").append(line));
            }
        }
        return text.toString();
    }

    /**
     * What the one service said that was started last; empty when it said nothing.
     *
     * @param from where its output begins in the file
     */
    static List<String> ofOne(ServiceHome home, long from) {
        List<String> lines = end(ServiceLauncher.output(home), from);
        return lines.subList(Math.max(0, lines.size() - COUNT), lines.size());
    }

    private static List<String> end(Path file, long begin) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(Math.min(begin, in.length()), in.length() - BYTES);
            byte[] bytes = new byte[(int) (in.length() - from)];
            in.seek(from);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .filter(line -> !OF_THE_JVM.matcher(line).matches()
                            && !STACK_TRACE.matcher(line).matches())
                    .toList();
        } catch (IOException unreadable) {
            return List.of("(cannot be read: " + unreadable.getMessage() + ")");
        }
    }
}
