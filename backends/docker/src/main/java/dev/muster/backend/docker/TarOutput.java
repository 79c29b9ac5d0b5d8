package dev.muster.backend.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Writes a POSIX tar archive (ustar; what does not fit goes into a pax header). Everything belongs to root and may be read and written by
 * any user, since which user a container has is its image's business.
 */
final class TarOutput {
    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 100;
    private static final long LARGEST = 0x1_ffff_ffffL;
    private static final int FOLDER_MODE = 0777;
    private static final int FILE_MODE = 0666;

    private final OutputStream out;

    TarOutput(OutputStream out) {
        this.out = out;
    }

    void folder(String name) throws IOException {
        header(name + "/", FOLDER_MODE, 0, FileTime.fromMillis(0), '5', "");
    }

    void file(String name, byte[] content) throws IOException {
        header(name, FILE_MODE, content.length, FileTime.fromMillis(0), '0', "");
        out.write(content);
        pad(content.length);
    }

    /** A file, or a folder with all that is in it; links stay links. */
    void tree(String name, Path path) throws IOException {
        FileTime time = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
        if (Files.isSymbolicLink(path)) {
            header(name, FOLDER_MODE, 0, time, '2', Files.readSymbolicLink(path).toString());
        } else if (Files.isDirectory(path)) {
            header(name + "/", FOLDER_MODE, 0, time, '5', "");
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    tree(name + "/" + entry.getFileName(), entry);
                }
            }
        } else if (Files.isRegularFile(path)) {
            long size = Files.size(path);
            header(name, Files.isExecutable(path) && isExecutable(path) ? FOLDER_MODE : FILE_MODE, size, time, '0', "");
            try (InputStream in = Files.newInputStream(path)) {
                long written = in.transferTo(new Exactly(size));
                if (written != size) {
                    throw new IOException(path + " changed while it was sent");
                }
            }
            pad(size);
        }
    }

    /** For root every file seems executable. */
    private static boolean isExecutable(Path path) throws IOException {
        return Files.getPosixFilePermissions(path).stream()
                .anyMatch(right -> right.name().endsWith("EXECUTE"));
    }

    /** The end of the archive. */
    void end() throws IOException {
        out.write(new byte[2 * BLOCK]);
    }

    private void header(String name, int mode, long size, FileTime time, char type, String link) throws IOException {
        StringBuilder pax = new StringBuilder();
        if (bytes(name).length > LONGEST_NAME) {
            pax.append(record("path", name));
        }
        if (bytes(link).length > LONGEST_NAME) {
            pax.append(record("linkpath", link));
        }
        if (size > LARGEST) {
            pax.append(record("size", Long.toString(size)));
        }
        if (!pax.isEmpty()) {
            byte[] records = bytes(pax.toString());
            block("pax", FILE_MODE, records.length, time, 'x', "");
            out.write(records);
            pad(records.length);
        }
        block(name, mode, Math.min(size, LARGEST), time, type, link);
    }

    private void block(String name, int mode, long size, FileTime time, char type, String link) throws IOException {
        byte[] block = new byte[BLOCK];
        put(block, 0, LONGEST_NAME, bytes(name));
        octal(block, 100, 8, mode);
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, size);
        octal(block, 136, 12, Math.max(0, time.toMillis() / 1000));
        block[156] = (byte) type;
        put(block, 157, LONGEST_NAME, bytes(link));
        put(block, 257, 8, bytes("ustar\00000"));
        for (int at = 148; at < 156; at++) {
            block[at] = ' ';
        }
        int sum = 0;
        for (byte each : block) {
            sum += each & 0xff;
        }
        octal(block, 148, 7, sum);
        out.write(block);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(byte[] block, int at, int longest, byte[] value) {
        System.arraycopy(value, 0, block, at, Math.min(value.length, longest));
    }

    private static void octal(byte[] block, int at, int width, long value) {
        String digits = Long.toOctalString(value);
        put(block, at, width, bytes("0".repeat(width - 1 - digits.length()) + digits));
        block[at + width - 1] = 0;
    }

    /** A pax record counts its own length. */
    private static String record(String key, String value) {
        int rest = bytes(" " + key + "=" + value + "\n").length;
        int length = rest + Integer.toString(rest).length();
        if (Integer.toString(length).length() + rest != length) {
            length++;
        }
        return length + " " + key + "=" + value + "\n";
    }

    private void pad(long size) throws IOException {
        int over = (int) (size % BLOCK);
        if (over > 0) {
            out.write(new byte[BLOCK - over]);
        }
    }

    /** Passes on, and refuses more than was announced. */
    private final class Exactly extends OutputStream {
        private long left;

        Exactly(long size) {
            left = size;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > left) {
                throw new IOException("a file grew while it was sent");
            }
            left -= length;
            out.write(bytes, offset, length);
        }
    }
}
