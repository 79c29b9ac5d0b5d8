package dev.muster.artifacts.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** What extension headers say about the entry that follows them. Records are {@code LENGTH KEY=VALUE\n}, LENGTH counting all of it. */
final class PaxRecords {
    private Optional<String> path = Optional.empty();
    private Optional<String> linkPath = Optional.empty();
    private OptionalLong size = OptionalLong.empty();

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
                throw TarReader.refused("an extension header in it is damaged");
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
            throw TarReader.refused("an extension header in it is damaged");
        }
        String key = TarReader.utf8(Arrays.copyOfRange(records, start, equals));
        byte[] value = Arrays.copyOfRange(records, equals + 1, end);
        if (key.startsWith("GNU.sparse")) {
            throw TarReader.refused("it holds a sparse file; make it without --sparse");
        }
        switch (key) {
            case "path" -> path(noNul(value));
            case "linkpath" -> linkPath(noNul(value));
            case "size" -> size = OptionalLong.of(decimal(noNul(value)));
            default -> {
                // Times, owners and attributes do not count.
            }
        }
    }

    private static String noNul(byte[] value) throws IOException {
        String text = TarReader.utf8(value);
        for (byte b : value) {
            if (b == 0) {
                throw TarReader.refused("a name in it holds a NUL byte: " + text);
            }
        }
        return text;
    }

    private static long decimal(String digits) throws IOException {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException notDecimal) {
            throw TarReader.refused("an extension header in it is damaged: size is " + digits);
        }
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
}
