package dev.muster.artifacts.code;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a tar archive from a stream: POSIX ustar and pax (IEEE 1003.1), GNU long names and binary sizes. Memory is bounded whatever
 * the archive says. Devices, pipes, sparse and unknown entries are refused, as are broken check sums and archives that stop early.
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int LONGEST_EXTENSION = 1 << 20;
    private static final int MOST_EXTENSIONS_IN_A_ROW = 16;
    private static final int DRAINED_AFTER_THE_END = 1 << 20;

    private final InputStream in;
    private final byte[] header = new byte[BLOCK];
    private long contentLeft;
    private int padding;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** The next entry, after skipping what is left of the one before; empty at the end of the archive. */
    Optional<TarEntry> next() throws IOException {
        PaxRecords pax = new PaxRecords();
        for (int extensions = 0; extensions <= MOST_EXTENSIONS_IN_A_ROW; extensions++) {
            in.skipNBytes(contentLeft + padding);
            contentLeft = 0;
            padding = 0;
            if (in.readNBytes(header, 0, BLOCK) < BLOCK) {
                throw refused("it stops before its end; send it whole");
            }
            if (isZero()) {
                in.readNBytes(DRAINED_AFTER_THE_END);
                return Optional.empty();
            }
            checkSum();
            long size = number(124, 12);
            switch (header[156]) {
                case 'x' -> pax.add(extension(size));
                case 'g' -> extension(size);
                case 'L' -> pax.path(utf8(extension(size)));
                case 'K' -> pax.linkPath(utf8(extension(size)));
                default -> {
                    return Optional.of(entry(pax, pax.size().orElse(size)));
                }
            }
        }
        throw refused("it has more than " + MOST_EXTENSIONS_IN_A_ROW + " extension headers in a row");
    }

    /** Reads content of the current entry; -1 at its end. */
    int read(byte[] buffer) throws IOException {
        if (contentLeft == 0) {
            return -1;
        }
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, contentLeft));
        if (count < 0) {
            throw refused("it stops in the middle of a file; send it whole");
        }
        contentLeft -= count;
        return count;
    }

    private TarEntry entry(PaxRecords pax, long size) throws IOException {
        String name = pax.path().isPresent() ? pax.path().get() : headerName();
        String target = pax.linkPath().isPresent() ? pax.linkPath().get() : utf8(field(157, 100));
        boolean executable = (number(100, 8) & 0100) != 0;
        byte type = header[156];
        TarEntry.Kind kind = switch (type) {
            case 0, '0', '7' -> name.endsWith("/") ? TarEntry.Kind.FOLDER : TarEntry.Kind.FILE;
            case '1' -> TarEntry.Kind.HARD_LINK;
            case '2' -> TarEntry.Kind.SYMBOLIC_LINK;
            case '5' -> TarEntry.Kind.FOLDER;
            case '3', '4' -> throw refused(name + " is a device; only files, folders and links are taken");
            case '6' -> throw refused(name + " is a pipe; only files, folders and links are taken");
            default ->
                throw refused(name + " is of the unknown kind '" + (char) type
                        + "'; only files, folders and links are taken");
        };
        if (size < 0) {
            throw refused(name + " has a negative size");
        }
        if (kind == TarEntry.Kind.FOLDER && type != '5' && size > 0) {
            throw refused(name + " is a file by its kind and a folder by its name");
        }
        if (kind != TarEntry.Kind.FILE) {
            return new TarEntry(name, kind, executable, 0, target);
        }
        contentLeft = size;
        padding = padding(size);
        return new TarEntry(name, kind, executable, size, "");
    }

    private String headerName() throws IOException {
        String name = utf8(field(0, 100));
        boolean posix = new String(header, 257, 6, StandardCharsets.ISO_8859_1).equals("ustar\0");
        String prefix = posix ? utf8(field(345, 155)) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private byte[] extension(long size) throws IOException {
        if (size < 0 || size > LONGEST_EXTENSION) {
            throw refused(
                    "it has an extension header of " + size + " bytes, at most " + LONGEST_EXTENSION + " are taken");
        }
        byte[] content = in.readNBytes((int) size);
        if (content.length < size) {
            throw refused("it stops in an extension header; send it whole");
        }
        padding = padding(size);
        return content;
    }

    private void checkSum() throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
        }
        if (sum != number(148, 8)) {
            throw refused("it is no tar archive, or damaged: a header has a wrong check sum");
        }
    }

    /** Octal text, or, with the first bit set, a GNU binary number. */
    private long number(int offset, int length) throws IOException {
        if ((header[offset] & 0x80) != 0) {
            long value = header[offset] & 0x7f;
            for (int i = offset + 1; i < offset + length; i++) {
                if (value >> 54 != 0) {
                    throw refused("a number in a header is too large");
                }
                value = value << 8 | header[i] & 0xff;
            }
            return value;
        }
        String digits = utf8(field(offset, length)).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException notOctal) {
            throw refused("it is no tar archive, or damaged: a number in a header is not octal");
        }
    }

    private byte[] field(int offset, int length) {
        return Arrays.copyOfRange(header, offset, offset + length);
    }

    private boolean isZero() {
        for (byte b : header) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static int padding(long size) {
        return (int) (-size & (BLOCK - 1));
    }

    /** The text up to the first NUL. */
    static String utf8(byte[] bytes) throws IOException {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, end))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw refused("a name in it is not UTF-8: " + new String(bytes, 0, end, StandardCharsets.UTF_8));
        }
    }

    static RefusedArchiveException refused(String why) {
        return new RefusedArchiveException("the code archive is refused: " + why);
    }

    static RefusedArchiveException tooLarge(String why) {
        return new RefusedArchiveException("the code archive is refused: " + why, true);
    }
}
