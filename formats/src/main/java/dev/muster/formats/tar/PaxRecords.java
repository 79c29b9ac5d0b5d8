package dev.muster.formats.tar;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What extension headers say about the entry that follows them. Records are {@code LENGTH KEY=VALUE\n}, LENGTH counting all of it. */
final class PaxRecords {
    private static final Pattern TIME = Pattern.compile("(-?\\d{1,15})(?:\\.(\\d*))?");

    private final TarHeader header;
    private Optional<String> path = Optional.empty();
    private Optional<String> linkPath = Optional.empty();
    private OptionalLong size = OptionalLong.empty();
    private Optional<Instant> modified = Optional.empty();

    /** @param header says how texts are read */
    PaxRecords(TarHeader header) {
        this.header = header;
    }

    void add(byte[] records) throws IOException {
        int at = 0;
        while (at < records.length && records[at] != 0) {
            int space = at;
            while (space < records.length && records[space] >= '0' && records[space] <= '9') {
                space++;
            }
            int length = space == at || space - at > 8
                    ? 0
                    : Integer.parseInt(new String(records, at, space - at, StandardCharsets.US_ASCII));
            int end = at + length;
            if (length < space - at + 3 || end > records.length || records[space] != ' ' || records[end - 1] != '\n') {
                throw TarException.damaged("an extension header in it is damaged");
            }
            record(records, space + 1, end - 1);
            at = end;
        }
    }

    private void record(byte[] records, int start, int end) throws IOException {
        int equals = start;
        while (equals < end && records[equals] != '=') {
            equals++;
        }
        if (equals == end) {
            throw TarException.damaged("an extension header in it is damaged");
        }
        String key = header.text(records, start, equals);
        if (key.startsWith("GNU.sparse")) {
            throw TarException.damaged("it holds a sparse file; make it without --sparse");
        }
        switch (key) {
            case "path" -> path(noNul(records, equals + 1, end));
            case "linkpath" -> linkPath(noNul(records, equals + 1, end));
            case "size" -> size = OptionalLong.of(decimal(noNul(records, equals + 1, end)));
            case "mtime" -> modified = time(header.text(records, equals + 1, end));
            default -> {
                // Owners and attributes do not count.
            }
        }
    }

    private String noNul(byte[] records, int from, int to) throws IOException {
        String text = header.text(records, from, to);
        for (int at = from; at < to; at++) {
            if (records[at] == 0) {
                throw TarException.damaged("a name in it holds a NUL byte: " + text);
            }
        }
        return text;
    }

    private static long decimal(String digits) throws IOException {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException notDecimal) {
            throw TarException.damaged("an extension header in it is damaged: size is " + digits);
        }
    }

    /** Seconds and nanoseconds; what is no such time does not count. */
    private static Optional<Instant> time(String decimal) {
        Matcher time = TIME.matcher(decimal);
        if (!time.matches()) {
            return Optional.empty();
        }
        String fraction = time.group(2) == null ? "" : time.group(2);
        long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
        long seconds = Long.parseLong(time.group(1));
        return Optional.of(Instant.ofEpochSecond(seconds, decimal.startsWith("-") ? -nanos : nanos));
    }

    void path(String value) {
        path = Optional.of(value);
    }

    void linkPath(String value) {
        linkPath = Optional.of(value);
    }

    Optional<String> path() {
        return path;
    }

    Optional<String> linkPath() {
        return linkPath;
    }

    OptionalLong size() {
        return size;
    }

    Optional<Instant> modified() {
        return modified;
    }
}
