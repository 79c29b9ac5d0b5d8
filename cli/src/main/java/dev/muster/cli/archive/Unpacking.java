package dev.muster.cli.archive;

import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Unpacks a tar archive (POSIX ustar or pax) into a new folder. Nothing is written outside it and nothing through a link, whoever
 * made the archive.
 */
public final class Unpacking {
    private static final int BLOCK = 512;
    private static final int LONGEST_EXTENSION = 1 << 20;

    private final InputStream in;
    private final Path folder;
    private final byte[] block = new byte[BLOCK];
    private String longName = "";
    private String longTarget = "";
    private long longSize = -1;
    private long bytes;

    private Unpacking(InputStream in, Path folder) {
        this.in = in;
        this.folder = folder;
    }

    /**
     * @param folder new and empty
     * @return bytes in the files unpacked
     * @throws IOException when the archive ends too early or a file cannot be written
     */
    public static long unpack(InputStream in, Path folder) throws IOException {
        Unpacking unpacking = new Unpacking(in, folder);
        while (unpacking.next()) {
            // Each turn unpacks one entry.
        }
        return unpacking.bytes;
    }

    private boolean next() throws IOException {
        if (in.readNBytes(block, 0, BLOCK) < BLOCK) {
            throw new IOException("the archive ends too early");
        }
        if (isEmpty()) {
            in.transferTo(OutputStream.nullOutputStream());
            return false;
        }
        checkSum();
        char type = (char) block[156];
        long size = longSize >= 0 && type != 'x' && type != 'g' ? longSize : octal(124, 12);
        if (type == 'x' || type == 'g') {
            if (size > LONGEST_EXTENSION) {
                throw new IOException("the archive has an extension header of " + size + " bytes");
            }
            byte[] records = in.readNBytes((int) size);
            skipPadding(size);
            if (type == 'x') {
                extension(records);
            }
            return true;
        }
        entry(type, size);
        longName = "";
        longTarget = "";
        longSize = -1;
        return true;
    }

    private void entry(char type, long size) throws IOException {
        Path path = inside(longName.isEmpty() ? name() : longName);
        switch (type) {
            case '5' -> Files.createDirectories(path);
            case '0', '\0' -> file(path, size);
            case '2' -> link(path, longTarget.isEmpty() ? text(157, 100) : longTarget);
            default -> throw new IOException("the archive has an entry of kind '" + type + "'");
        }
    }

    private void file(Path path, long size) throws IOException {
        Files.createDirectories(path.getParent());
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[1 << 16];
            for (long left = size; left > 0; ) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (count < 0) {
                    throw new IOException("the archive ends too early");
                }
                out.write(buffer, 0, count);
                left -= count;
            }
        }
        bytes += size;
        skipPadding(size);
        if ((octal(100, 8) & 0100) != 0 && !path.toFile().setExecutable(true, false)) {
            throw new IOException(path + " cannot be made executable");
        }
    }

    private void link(Path path, String target) throws IOException {
        Path resolved = folder.relativize(path.getParent()).resolve(target).normalize();
        if (target.startsWith("/") || resolved.startsWith("..")) {
            throw new IOException(
                    "the archive has a link that leads out of it: " + path.getFileName() + " to " + target);
        }
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(target));
    }

    /** The place of a name in the folder; no part of the way to it is a link. */
    private Path inside(String name) throws IOException {
        Path path = folder.resolve(name).normalize();
        if (name.startsWith("/") || !path.startsWith(folder)) {
            throw new IOException("the archive has a path that leads out of it: " + name);
        }
        for (Path parent = path; parent.startsWith(folder); parent = parent.getParent()) {
            if (Files.isSymbolicLink(parent)) {
                throw new IOException("the archive has a path through a link: " + name);
            }
        }
        return path;
    }

    private void extension(byte[] records) throws IOException {
        int at = 0;
        while (at < records.length) {
            int space = at;
            while (space < records.length && records[space] != ' ') {
                space++;
            }
            int length = number(new String(records, at, space - at, StandardCharsets.UTF_8), 10);
            if (length <= space - at || at + length > records.length) {
                throw new IOException("the archive has a damaged extension header");
            }
            String record = new String(records, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
            String value = record.substring(record.indexOf('=') + 1);
            switch (record.substring(0, Math.max(0, record.indexOf('=')))) {
                case "path" -> longName = value;
                case "linkpath" -> longTarget = value;
                case "size" -> longSize = Long.parseLong(value);
                default -> {
                    // Times and owners do not matter here.
                }
            }
            at += length;
        }
    }

    private void checkSum() throws IOException {
        int sum = 0;
        for (int at = 0; at < BLOCK; at++) {
            sum += at >= 148 && at < 156 ? ' ' : block[at] & 0xff;
        }
        if (sum != octal(148, 8)) {
            throw Failure.notReached("what the service sent is no tar archive, or damaged");
        }
    }

    private String name() {
        String prefix = text(257, 5).equals("ustar") ? text(345, 155) : "";
        return prefix.isEmpty() ? text(0, 100) : prefix + "/" + text(0, 100);
    }

    private String text(int at, int most) {
        int end = at;
        while (end < at + most && block[end] != 0) {
            end++;
        }
        return new String(block, at, end - at, StandardCharsets.UTF_8);
    }

    private long octal(int at, int most) throws IOException {
        String digits = text(at, most).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException notOctal) {
            throw new IOException("the archive has a damaged header");
        }
    }

    private static int number(String digits, int radix) throws IOException {
        try {
            return Integer.parseInt(digits, radix);
        } catch (NumberFormatException notANumber) {
            throw new IOException("the archive has a damaged extension header");
        }
    }

    private void skipPadding(long size) throws IOException {
        in.skipNBytes(-size & (BLOCK - 1));
    }

    private boolean isEmpty() {
        for (byte one : block) {
            if (one != 0) {
                return false;
            }
        }
        return true;
    }
}
