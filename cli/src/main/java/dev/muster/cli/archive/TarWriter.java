package dev.muster.cli.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a tar archive, POSIX ustar with pax headers for names that ustar cannot hold (IEEE 1003.1-2008, pax). Times and owners are
 * left at zero, so that the same content gives the same bytes.
 */
final class TarWriter {
    static final int END_BYTES = 1024;
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int PREFIX = 155;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * What stands before the content.
     *
     * @param name   path; of a folder with a slash at the end
     * @param type   0 file, 2 symbolic link, 5 folder
     * @param size   bytes of content, below 8 GiB
     * @param target of a link
     */
    record Header(String name, char type, int mode, long size, String target) {
        /** Extension records that the name or the target need; empty when ustar holds them. */
        byte[] extension() {
            StringBuilder records = new StringBuilder();
            if (split(name) < 0) {
                records.append(pax("path", name));
            }
            if (!isShort(target, NAME)) {
                records.append(pax("linkpath", target));
            }
            return records.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Bytes in the archive for an entry with its content. */
    static long lengthOf(Header header) {
        int extension = header.extension().length;
        return BLOCK + padded(header.size()) + (extension == 0 ? 0 : BLOCK + padded(extension));
    }

    /** Writes what stands before the content; {@link #content} of the size it says and {@link #pad} follow. */
    void header(Header header) throws IOException {
        byte[] extension = header.extension();
        if (extension.length > 0) {
            block(new Header("PaxHeaders/entry", 'x', 0644, extension.length, ""));
            out.write(extension);
            pad(extension.length);
        }
        block(header);
    }

    void content(byte[] bytes, int count) throws IOException {
        out.write(bytes, 0, count);
    }

    /** Fills the last block of a content of this size. */
    void pad(long size) throws IOException {
        out.write(new byte[(int) (padded(size) - size)]);
    }

    void end() throws IOException {
        out.write(new byte[END_BYTES]);
    }

    private void block(Header header) throws IOException {
        byte[] block = new byte[BLOCK];
        int split = split(header.name());
        if (split > 0) {
            put(block, 345, PREFIX, header.name().substring(0, split));
            put(block, 0, NAME, header.name().substring(split + 1));
        } else {
            put(block, 0, NAME, header.name());
        }
        put(block, 100, 8, octal(header.mode(), 7));
        put(block, 108, 8, octal(0, 7));
        put(block, 116, 8, octal(0, 7));
        put(block, 124, 12, octal(header.size(), 11));
        put(block, 136, 12, octal(0, 11));
        block[156] = (byte) header.type();
        put(block, 157, NAME, header.target());
        put(block, 257, 6, "ustar");
        put(block, 263, 2, "00");
        put(block, 148, 8, "        ");
        int sum = 0;
        for (byte one : block) {
            sum += one & 0xff;
        }
        put(block, 148, 8, octal(sum, 6) + "\0 ");
        out.write(block);
    }

    /** Where the name is split into prefix and name: 0 for not at all, -1 when ustar cannot hold it. */
    private static int split(String name) {
        if (isShort(name, NAME)) {
            return 0;
        }
        if (!isShort(name, NAME + PREFIX + 1)) {
            return -1;
        }
        int slash = name.lastIndexOf('/', Math.min(PREFIX, name.length() - 2));
        return slash > 0 && name.length() - slash - 1 <= NAME ? slash : -1;
    }

    private static boolean isShort(String text, int bytes) {
        return text.length() <= bytes && text.chars().allMatch(letter -> letter < 0x80);
    }

    /** A record begins with its own length, which counts its own digits. */
    private static String pax(String key, String value) {
        int rest = (" " + key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8).length;
        int length = rest + Integer.toString(rest).length();
        length = rest + Integer.toString(length).length();
        return length + " " + key + "=" + value + "\n";
    }

    private static void put(byte[] block, int at, int most, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, at, Math.min(bytes.length, most));
    }

    private static String octal(long value, int digits) {
        String text = Long.toOctalString(value);
        return "0".repeat(digits - text.length()) + text;
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }
}
