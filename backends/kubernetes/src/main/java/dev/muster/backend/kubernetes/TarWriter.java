package dev.muster.backend.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files as a tar archive in the form every tar reads: ustar with GNU's long names (POSIX.1-1988, tar(5)). What is in it is settled when it is added; how long
 * the archive is, is known before it is written.
 */
final class TarWriter {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final long LARGEST_OCTAL = 0x1_FFFF_FFFFL;

    private final List<Entry> entries = new ArrayList<>();

    /** One entry as it will be written. */
    private record Entry(Path path, byte[] name, char type, long size, int mode, long time, byte[] link) {
        long bytes() {
            return BLOCK + padded(size) + longText(name) + longText(link);
        }

        private static long longText(byte[] text) {
            return text.length < NAME ? 0 : BLOCK + padded(text.length + 1L);
        }
    }

    /** Adds a file or a whole folder under a name; links inside are kept as links, a link that is added itself is followed. */
    void add(Path path, String name) throws IOException {
        if (Files.isDirectory(path)) {
            entry(path, name + "/", '5', 0, "");
            try (Stream<Path> inside = Files.list(path)) {
                for (Path each : inside.sorted().toList()) {
                    inside(each, name + "/" + each.getFileName());
                }
            }
        } else {
            entry(path, name, '0', Files.size(path), "");
        }
    }

    private void inside(Path path, String name) throws IOException {
        if (Files.isSymbolicLink(path)) {
            entry(path, name, '2', 0, Files.readSymbolicLink(path).toString());
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(path)) {
            add(path, name);
        }
    }

    private void entry(Path path, String name, char type, long size, String link) throws IOException {
        boolean isLink = type == '2';
        entries.add(new Entry(
                path,
                name.getBytes(StandardCharsets.UTF_8),
                type,
                size,
                isLink ? 0777 : mode(path),
                isLink ? 0 : time(path),
                link.getBytes(StandardCharsets.UTF_8)));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The length of the archive. */
    long bytes() {
        return entries.stream().mapToLong(Entry::bytes).sum() + 2 * BLOCK;
    }

    void writeTo(OutputStream out) throws IOException {
        for (Entry entry : entries) {
            if (entry.link().length >= NAME) {
                longText(out, 'K', entry.link());
            }
            if (entry.name().length >= NAME) {
                longText(out, 'L', entry.name());
            }
            header(out, entry);
            if (entry.type() == '0') {
                content(out, entry);
            }
        }
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    /** Exactly as many bytes as were announced, also of a file that grew meanwhile. */
    private static void content(OutputStream out, Entry entry) throws IOException {
        try (InputStream in = Files.newInputStream(entry.path())) {
            byte[] buffer = new byte[64 * 1024];
            long left = entry.size();
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new IOException(entry.path() + " became shorter while it was read");
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        pad(out, entry.size());
    }

    private static int mode(Path path) {
        return Files.isDirectory(path) || Files.isExecutable(path) ? 0755 : 0644;
    }

    private static long time(Path path) throws IOException {
        return Math.max(0, Files.getLastModifiedTime(path).toMillis() / 1000);
    }

    private static void longText(OutputStream out, char type, byte[] text) throws IOException {
        byte[] name = "././@LongLink".getBytes(StandardCharsets.UTF_8);
        header(out, new Entry(Path.of(""), name, type, text.length + 1L, 0, 0, new byte[0]));
        out.write(text);
        out.write(0);
        pad(out, text.length + 1L);
    }

    private static void header(OutputStream out, Entry entry) throws IOException {
        byte[] header = new byte[BLOCK];
        System.arraycopy(entry.name(), 0, header, 0, Math.min(entry.name().length, NAME - 1));
        octal(header, 100, 8, entry.mode());
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        size(header, entry.size());
        octal(header, 136, 12, entry.time());
        header[156] = (byte) entry.type();
        System.arraycopy(entry.link(), 0, header, 157, Math.min(entry.link().length, NAME - 1));
        System.arraycopy("ustar  \0".getBytes(StandardCharsets.US_ASCII), 0, header, 257, 8);
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        octal(header, 148, 7, sum);
        out.write(header);
    }

    /** Beyond 8 GiB in base 256, as GNU tar writes it. */
    private static void size(byte[] header, long size) {
        if (size <= LARGEST_OCTAL) {
            octal(header, 124, 12, size);
            return;
        }
        long left = size;
        for (int at = 135; at > 124; at--) {
            header[at] = (byte) left;
            left >>>= 8;
        }
        header[124] = (byte) 0x80;
    }

    private static void octal(byte[] header, int at, int length, long value) {
        byte[] digits = String.format("%0" + (length - 1) + "o", value).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, header, at, digits.length);
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    private static void pad(OutputStream out, long size) throws IOException {
        out.write(new byte[(int) (padded(size) - size)]);
    }
}
