package dev.muster.backend.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Unpacks a tar archive that a pod sends (ustar with GNU's long names). A name that leaves the folder is refused; links, devices and whatever else is no
 * file or folder are passed over.
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final long LONGEST_TEXT = 64 * 1024;

    private final InputStream in;
    private final Path folder;

    TarReader(InputStream in, Path folder) {
        this.in = in;
        this.folder = folder;
    }

    /** Reads to the end of the archive. */
    void unpack() throws IOException {
        String longName = null;
        while (true) {
            byte[] header = in.readNBytes(BLOCK);
            if (header.length < BLOCK) {
                throw new IOException("what the pod sent breaks off");
            }
            if (isZero(header)) {
                return;
            }
            long size = size(header);
            char type = (char) header[156];
            if (type == 'L') {
                if (size > LONGEST_TEXT) {
                    throw new IOException("a name of " + size + " bytes is too long");
                }
                longName = text(in.readNBytes((int) size), 0, (int) size);
                in.skipNBytes(padding(size));
                continue;
            }
            entry(
                    longName == null ? text(header, 0, 100) : longName,
                    type,
                    size,
                    octal(header, 136, 12),
                    octal(header, 100, 8));
            longName = null;
        }
    }

    private void entry(String name, char type, long size, long time, long mode) throws IOException {
        Path target =
                folder.resolve(name.startsWith("./") ? name.substring(2) : name).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("what the pod sent would leave its folder: " + name);
        }
        switch (type) {
            case '5' -> Files.createDirectories(target);
            case '0', '\0', '7' -> {
                Files.createDirectories(target.getParent());
                // Never through a link that an earlier file of this name may be.
                Files.deleteIfExists(target);
                Files.copy(new Slice(in, size), target, StandardCopyOption.REPLACE_EXISTING);
                if ((mode & 0100) != 0) {
                    target.toFile().setExecutable(true);
                }
                Files.setLastModifiedTime(target, FileTime.from(Instant.ofEpochSecond(time)));
                in.skipNBytes(padding(size));
            }
            default -> in.skipNBytes(size + padding(size));
        }
    }

    private static boolean isZero(byte[] header) {
        for (byte each : header) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private static long padding(long size) {
        return (BLOCK - size % BLOCK) % BLOCK;
    }

    private static long size(byte[] header) {
        if ((header[124] & 0x80) == 0) {
            return octal(header, 124, 12);
        }
        long size = 0;
        for (int at = 125; at < 136; at++) {
            size = size << 8 | header[at] & 0xff;
        }
        return size;
    }

    private static long octal(byte[] header, int at, int length) {
        String digits = text(header, at, length).strip();
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    private static String text(byte[] bytes, int at, int length) {
        int end = at;
        while (end < at + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    /** The next bytes of a stream, and no more; one that ends before is an error. */
    private static final class Slice extends InputStream {
        private final InputStream in;
        private long left;

        Slice(InputStream in, long size) {
            this.in = in;
            this.left = size;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int at, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = in.read(buffer, at, (int) Math.min(length, left));
            if (read < 0) {
                throw new IOException("what the pod sent breaks off");
            }
            left -= read;
            return read;
        }
    }
}
