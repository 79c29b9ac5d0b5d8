package dev.muster.cli.embedded;

import dev.muster.api.ServiceHome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of what the service said, to show when it does not start. */
final class LastLines {
    private static final int COUNT = 12;
    private static final int BYTES = 1 << 14;

    private LastLines() {}

    /** Beginning with the end of a line; empty when nothing was said. */
    static String of(ServiceHome home) {
        StringBuilder text = new StringBuilder();
        for (Path file : List.of(ServiceLauncher.output(home), home.serviceLog())) {
            List<String> lines = end(file);
            if (!lines.isEmpty()) {
                text.append("\nlast lines of ").append(file).append(':');
                lines.subList(Math.max(0, lines.size() - COUNT), lines.size())
                        .forEach(line -> text.append("\n  ").append(line));
            }
        }
        return text.toString();
    }

    private static List<String> end(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, in.length() - BYTES);
            byte[] bytes = new byte[(int) (in.length() - from)];
            in.seek(from);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException unreadable) {
            return List.of("(cannot be read: " + unreadable.getMessage() + ")");
        }
    }
}
