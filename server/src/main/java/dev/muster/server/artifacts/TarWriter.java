package dev.muster.server.artifacts;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/**
 * Writes a folder as a tar archive (POSIX.1-2001: ustar with pax headers where a name or size needs one). Files are copied through a
 * small buffer. Owners and times are left out, so that equal folders give equal bytes.
 */
final class TarWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final int BUFFER = 64 << 10;
    private static final int NAME = 100;
    private static final long LARGEST_SIZE = 0_77777777777L;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes everything below the folder, by paths relative to it, in the order of names. */
    void folder(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths.sorted()::iterator) {
                if (!path.equals(folder)) {
                    entry(path, folder.relativize(path).toString());
                }
            }
        }
    }

    private void entry(Path path, String name) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean executable = Files.isExecutable(path);
        if (attributes.isDirectory()) {
            header(name + "/", 0_755, 0, '5', "");
        } else if (attributes.isSymbolicLink()) {
            header(name, 0_777, 0, '2', Files.readSymbolicLink(path).toString());
        } else if (attributes.isRegularFile()) {
            header(name, executable ? 0_755 : 0_644, attributes.size(), '0', "");
            content(path, attributes.size());
        }
    }

    private void header(String name, int mode, long size, char type, String link) throws IOException {
        StringBuilder extended = new StringBuilder();
        if (!fits(name)) {
            extended.append(record("path", name));
        }
        if (!fits(link)) {
            extended.append(record("linkpath", link));
        }
        if (size > LARGEST_SIZE) {
            extended.append(record("size", Long.toString(size)));
        }
        if (!extended.isEmpty()) {
            byte[] content = extended.toString().getBytes(StandardCharsets.UTF_8);
            block("pax", 0_644, content.length, 'x', "");
            out.write(content);
            pad(content.length);
        }
        block(name, mode, Math.min(size, LARGEST_SIZE), type, link);
    }

    private static boolean fits(String text) {
        return text.length() <= NAME && StandardCharsets.US_ASCII.newEncoder().canEncode(text);
    }

    /** A pax record: its own length in decimal, key and value. */
    private static String record(String key, String value) {
        String rest = " " + key + "=" + value + "\n";
        int bytes = rest.getBytes(StandardCharsets.UTF_8).length;
        int length = bytes + Integer.toString(bytes).length();
        if (Integer.toString(length).length() > Integer.toString(bytes).length()) {
            length++;
        }
        return length + rest;
    }

    private void block(String name, int mode, long size, char type, String link) throws IOException {
        byte[] header = new byte[BLOCK];
        put(header, 0, NAME, name);
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, size);
        octal(header, 136, 12, 0);
        put(header, 148, 8, "        ");
        header[156] = (byte) type;
        put(header, 157, NAME, link);
        put(header, 257, 6, "ustar");
        put(header, 263, 2, "00");
        int sum = 0;
        for (byte value : header) {
            sum += value & 0xff;
        }
        octal(header, 148, 7, sum);
        out.write(header);
    }

    private static void put(byte[] header, int at, int most, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, Math.min(bytes.length, most));
    }

    private static void octal(byte[] header, int at, int length, long value) {
        String digits = Long.toOctalString(value);
        put(header, at, length - 1, "0".repeat(length - 1 - digits.length()) + digits);
        header[at + length - 1] = 0;
    }

    private void content(Path file, long size) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long left = size;
        try (InputStream in = Files.newInputStream(file)) {
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new EOFException(file + " became shorter while it was read");
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        pad(size);
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    /** Ends the archive; what is behind stays open. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
    }
}
