package dev.muster.server.access;

import dev.muster.api.AuditDocument;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The audit as its files tell it: those put aside, oldest first, then the one that grows. A position is a number of bytes from the
 * beginning of the first, so it stays right while lines come and files are put aside.
 */
record AuditFiles(List<Path> files) {
    private static final int BLOCK = 64 << 10;

    /** @param file the one that grows */
    static AuditFiles of(Path file) throws IOException {
        Map<Instant, Path> aside = new TreeMap<>();
        String name = file.getFileName().toString();
        if (Files.isDirectory(file.getParent())) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                    file.getParent(), each -> each.getFileName().toString().startsWith(name + "."))) {
                for (Path each : entries) {
                    time(each.getFileName().toString().substring(name.length() + 1))
                            .ifPresent(at -> aside.put(at, each));
                }
            }
        }
        List<Path> files = new ArrayList<>(aside.values());
        if (Files.exists(file)) {
            files.add(file);
        }
        return new AuditFiles(files);
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException somethingElse) {
            return Optional.empty();
        }
    }

    /** The newest lines before the position, or of all. */
    AuditPage before(OptionalLong position, int limit) throws IOException {
        long begin = 0;
        for (Path file : files) {
            begin += Files.size(file);
        }
        long end = Math.min(begin, position.orElse(begin));
        List<AuditDocument> lines = new ArrayList<>();
        for (Path file : files.reversed()) {
            begin -= Files.size(file);
            if (end > begin) {
                end = begin + read(file, end - begin, limit, lines);
            }
        }
        return new AuditPage(lines, end > 0 ? OptionalLong.of(end) : OptionalLong.empty());
    }

    /** Reads backwards from an end until there are enough; gives where it stopped. */
    private static long read(Path file, long end, int limit, List<AuditDocument> lines) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            int block = BLOCK;
            long to = end;
            while (to > 0 && lines.size() < limit) {
                long from = Math.max(0, to - block);
                byte[] bytes = read(channel, from, (int) (to - from));
                int first = from == 0 ? 0 : after(bytes);
                if (first == bytes.length) {
                    // A line longer than the block.
                    block *= 2;
                    continue;
                }
                int stop = bytes.length;
                while (stop > first && lines.size() < limit) {
                    int start = start(bytes, first, stop);
                    line(bytes, start, stop).ifPresent(lines::add);
                    stop = start;
                }
                to = from + stop;
            }
            return to;
        }
    }

    private static byte[] read(SeekableByteChannel channel, long from, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        channel.position(from);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("the audit was made shorter while it was read");
            }
        }
        return buffer.array();
    }

    /** Index of the first whole line: behind the first line break that is not the last byte. */
    private static int after(byte[] bytes) {
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] == '\n') {
                return index + 1;
            }
        }
        return bytes.length;
    }

    /** Where the line begins that ends before stop. */
    private static int start(byte[] bytes, int first, int stop) {
        int start = stop - 1;
        while (start > first && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /** Empty for a line that a full disk cut short. */
    private static Optional<AuditDocument> line(byte[] bytes, int start, int stop) {
        String text = new String(bytes, start, stop - start, StandardCharsets.UTF_8).strip();
        try {
            return Json.parse(text) instanceof JsonFields fields
                    ? Optional.of(AuditDocument.of(fields))
                    : Optional.empty();
        } catch (JsonException cut) {
            return Optional.empty();
        }
    }
}
