package dev.muster.formats.tar;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes a tar archive to a stream in the form that every tar reads, BusyBox's too: GNU's, with long names and binary sizes. Names are
 * UTF-8, everything belongs to root, and equal entries give equal bytes.
 */
public final class TarWriter {
    /** Bytes that end an archive. */
    public static final int END = 2 * TarHeader.BLOCK;

    private static final int NAME = 100;
    private static final long LARGEST_OCTAL = 0_77777777777L;
    private static final int BUFFER = 1 << 16;

    private final OutputStream out;

    public TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Bytes in the archive for an entry with its content. */
    public static long lengthOf(TarEntry entry) {
        return TarHeader.BLOCK
                + padded(entry.size())
                + lengthOfLong(bytes(entry.name()))
                + lengthOfLong(bytes(entry.target()));
    }

    private static long lengthOfLong(byte[] text) {
        return text.length < NAME ? 0 : TarHeader.BLOCK + padded(text.length + 1L);
    }

    /** Writes an entry without content. */
    public void write(TarEntry entry) throws IOException {
        write(entry, InputStream.nullInputStream());
    }

    /**
     * Writes an entry.
     *
     * @param content of which as many bytes are written as the entry says; it may hold more
     * @throws EOFException when it holds fewer
     */
    public void write(TarEntry entry, InputStream content) throws IOException {
        byte[] name = bytes(entry.name());
        byte[] target = bytes(entry.target());
        if (target.length >= NAME) {
            longText('K', target);
        }
        if (name.length >= NAME) {
            longText('L', name);
        }
        header(entry, name, target);
        byte[] buffer = new byte[(int) Math.min(BUFFER, entry.size())];
        for (long left = entry.size(); left > 0; ) {
            int count = content.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw new EOFException(entry.name() + " became shorter while it was read");
            }
            out.write(buffer, 0, count);
            left -= count;
        }
        pad(entry.size());
    }

    /** Ends the archive. Without it, what was written is told from a whole one. */
    public void end() throws IOException {
        out.write(new byte[END]);
        out.flush();
    }

    private void longText(char type, byte[] text) throws IOException {
        String name = "././@LongLink";
        header(new TarEntry(name, type, 0, text.length + 1L, Instant.EPOCH, ""), bytes(name), new byte[0]);
        out.write(text);
        out.write(0);
        pad(text.length + 1L);
    }

    private void header(TarEntry entry, byte[] name, byte[] target) throws IOException {
        byte[] header = new byte[TarHeader.BLOCK];
        System.arraycopy(name, 0, header, 0, Math.min(name.length, NAME - 1));
        octal(header, 100, 8, entry.mode());
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        size(header, entry.size());
        octal(header, 136, 12, Math.clamp(entry.modified().getEpochSecond(), 0, LARGEST_OCTAL));
        header[156] = (byte) entry.type();
        System.arraycopy(target, 0, header, 157, Math.min(target.length, NAME - 1));
        System.arraycopy(bytes("ustar  \0"), 0, header, 257, 8);
        Arrays.fill(header, 148, 156, (byte) ' ');
        octal(header, 148, 7, TarHeader.sum(header));
        out.write(header);
    }

    /** Beyond 8 GiB in base 256. */
    private static void size(byte[] header, long size) {
        if (size <= LARGEST_OCTAL) {
            octal(header, 124, 12, size);
            return;
        }
        long left = size;
        for (int at = 135; at > 127; at--) {
            header[at] = (byte) left;
            left >>>= 8;
        }
        header[124] = (byte) 0x80;
    }

    /** Digits, and a NUL after them. */
    private static void octal(byte[] header, int at, int length, long value) {
        long left = value;
        for (int digit = at + length - 2; digit >= at; digit--) {
            header[digit] = (byte) ('0' + (left & 7));
            left >>>= 3;
        }
        header[at + length - 1] = 0;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long padded(long size) {
        return (size + TarHeader.BLOCK - 1) / TarHeader.BLOCK * TarHeader.BLOCK;
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) (padded(size) - size)]);
    }
}
