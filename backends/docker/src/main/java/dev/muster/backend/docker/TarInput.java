package dev.muster.backend.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads a tar archive as dockerd writes it: ustar with pax headers, and GNU's long names. */
final class TarInput {
    private static final int BLOCK = 512;
    private static final int LONGEST_HEADER = 1 << 20;

    private final InputStream in;
    private long left;
    private long padding;

    TarInput(InputStream in) {
        this.in = in;
    }

    /** What an entry is. */
    enum Kind {
        FILE,
        FOLDER,
        LINK,
        OTHER
    }

    /**
     * An entry.
     *
     * @param link where a link points to
     */
    record Entry(String name, Kind kind, long size, int mode, Instant modified, String link) {}

    /** The next entry; what was not read of the one before is passed over. */
    Optional<Entry> next() throws IOException {
        Map<String, String> pax = new HashMap<>();
        while (true) {
            in.skipNBytes(left + padding);
            left = 0;
            padding = 0;
            byte[] block = in.readNBytes(BLOCK);
            if (block.length == 0 || isZero(block)) {
                return Optional.empty();
            }
            if (block.length < BLOCK) {
                throw new EOFException("an archive broke off");
            }
            char type = (char) block[156];
            long size = number(block, 124, 12);
            begin(size);
            switch (type) {
                case 'x' -> records(pax, new String(header(size), StandardCharsets.UTF_8));
                case 'g' -> header(size);
                case 'L' -> pax.put("path", text(header(size), 0, (int) size));
                case 'K' -> pax.put("linkpath", text(header(size), 0, (int) size));
                default -> {
                    return Optional.of(entry(block, type, size, pax));
                }
            }
        }
    }

    private void begin(long size) {
        left = size;
        padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    private byte[] header(long size) throws IOException {
        if (size > LONGEST_HEADER) {
            throw new IOException("an archive has a header of " + size + " bytes");
        }
        byte[] bytes = in.readNBytes((int) size);
        left -= bytes.length;
        return bytes;
    }

    private Entry entry(byte[] block, char type, long written, Map<String, String> pax) {
        String prefix = text(block, 345, 155);
        String name = text(block, 0, 100);
        boolean posix = text(block, 257, 6).equals("ustar");
        String full = pax.getOrDefault("path", posix && !prefix.isEmpty() ? prefix + "/" + name : name);
        long size = pax.containsKey("size") ? Long.parseLong(pax.get("size")) : written;
        Kind kind = switch (type) {
            case '0', '\0', '7' -> Kind.FILE;
            case '5' -> Kind.FOLDER;
            case '2' -> Kind.LINK;
            default -> Kind.OTHER;
        };
        begin(size);
        return new Entry(
                full,
                kind,
                size,
                (int) number(block, 100, 8),
                pax.containsKey("mtime") ? time(pax.get("mtime")) : Instant.ofEpochSecond(number(block, 136, 12)),
                pax.getOrDefault("linkpath", text(block, 157, 100)));
    }

    private static Instant time(String decimal) {
        int dot = decimal.indexOf('.');
        if (dot < 0) {
            return Instant.ofEpochSecond(Long.parseLong(decimal));
        }
        String nanos = (decimal.substring(dot + 1) + "000000000").substring(0, 9);
        return Instant.ofEpochSecond(Long.parseLong(decimal.substring(0, dot)), Long.parseLong(nanos));
    }

    /** The bytes of the entry that was given last. */
    InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (left == 0) {
                    return -1;
                }
                int count = in.read(bytes, offset, (int) Math.min(length, left));
                if (count < 0) {
                    throw new EOFException("an archive broke off");
                }
                left -= count;
                return count;
            }
        };
    }

    private static void records(Map<String, String> pax, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int space = at;
            while (space < bytes.length && bytes[space] != ' ') {
                space++;
            }
            int length = Integer.parseInt(new String(bytes, at, space - at, StandardCharsets.US_ASCII));
            if (length <= space - at || at + length > bytes.length) {
                throw new IOException("an archive has a broken header");
            }
            String record = new String(bytes, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
            int equals = record.indexOf('=');
            pax.put(record.substring(0, equals), record.substring(equals + 1));
            at += length;
        }
    }

    private static boolean isZero(byte[] block) {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] block, int at, int longest) {
        int end = at;
        while (end < at + longest && end < block.length && block[end] != 0) {
            end++;
        }
        return new String(block, at, end - at, StandardCharsets.UTF_8);
    }

    /** Octal digits, or base 256 where the first bit is set. */
    private static long number(byte[] block, int at, int width) {
        long value = 0;
        if ((block[at] & 0x80) != 0) {
            value = block[at] & 0x7f;
            for (int next = at + 1; next < at + width; next++) {
                value = value << 8 | block[next] & 0xff;
            }
            return value;
        }
        for (int next = at; next < at + width; next++) {
            if (block[next] >= '0' && block[next] <= '7') {
                value = value * 8 + block[next] - '0';
            }
        }
        return value;
    }
}
