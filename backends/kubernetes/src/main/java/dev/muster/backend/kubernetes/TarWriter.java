package dev.muster.backend.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Writes files as a tar archive in the form every tar reads: ustar with GNU's long names (POSIX.1-1988, tar(5)). */
final class TarWriter {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final long LARGEST_OCTAL = 0x1_FFFF_FFFFL;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Adds a file or a whole folder under a name; links inside are kept as links, a link that is added itself is followed. */
    void add(Path path, String name) throws IOException {
        if (Files.isDirectory(path)) {
            entry(name + "/", '5', 0, mode(path), time(path), "");
            try (Stream<Path> inside = Files.list(path)) {
                for (Path each : inside.sorted().toList()) {
                    inside(each, name + "/" + each.getFileName());
                }
            }
        } else {
            file(path, name);
        }
    }

    private void inside(Path path, String name) throws IOException {
        if (Files.isSymbolicLink(path)) {
            entry(name, '2', 0, 0777, 0, Files.readSymbolicLink(path).toString());
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(path)) {
            add(path, name);
        }
    }

    private void file(Path path, String name) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            long size = Files.size(path);
            entry(name, '0', size, mode(path), time(path), "");
            copy(in, size, name);
            pad(size);
        }
    }

    /** Exactly as many bytes as were announced, also of a file that changes meanwhile. */
    private void copy(InputStream in, long size, String name) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long left = size;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new IOException(name + " became shorter while it was read");
            }
            out.write(buffer, 0, read);
            left -= read;
        }
    }

    private static int mode(Path path) {
        return Files.isDirectory(path) || Files.isExecutable(path) ? 0755 : 0644;
    }

    private static long time(Path path) throws IOException {
        return Math.max(0, Files.getLastModifiedTime(path).toMillis() / 1000);
    }

    private void entry(String name, char type, long size, int mode, long time, String link) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] target = link.getBytes(StandardCharsets.UTF_8);
        if (target.length >= NAME) {
            longText('K', target);
        }
        if (bytes.length >= NAME) {
            longText('L', bytes);
        }
        header(bytes, type, size, mode, time, target);
    }

    private void longText(char type, byte[] text) throws IOException {
        header("././@LongLink".getBytes(StandardCharsets.UTF_8), type, text.length + 1L, 0, 0, new byte[0]);
        out.write(text);
        out.write(0);
        pad(text.length + 1L);
    }

    private void header(byte[] name, char type, long size, int mode, long time, byte[] link) throws IOException {
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, Math.min(name.length, NAME - 1));
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        size(header, size);
        octal(header, 136, 12, time);
        header[156] = (byte) type;
        System.arraycopy(link, 0, header, 157, Math.min(link.length, NAME - 1));
        System.arraycopy("ustar  \0".getBytes(StandardCharsets.US_ASCII), 0, header, 257, 8);
        java.util.Arrays.fill(header, 148, 156, (byte) ' ');
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

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    /** Writes the archive's end. */
    void finish() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }
}
