package dev.muster.formats.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The fields of a header, and texts of an archive.
 *
 * @param block     512 bytes
 * @param malformed what to do about a text that is not UTF-8
 */
record TarHeader(byte[] block, CodingErrorAction malformed) {
    static final int BLOCK = 512;

    private static final int CHECK_SUM = 148;
    private static final int CHECK_SUM_LENGTH = 8;

    boolean isZero() {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    void check() throws IOException {
        if (sum(block) != number(CHECK_SUM, CHECK_SUM_LENGTH)) {
            throw TarException.damaged("it is no tar archive, or damaged: a header has a wrong check sum");
        }
    }

    /** The sum of the bytes, those of the sum itself taken as blanks. */
    static long sum(byte[] block) {
        long sum = 0;
        for (int at = 0; at < BLOCK; at++) {
            sum += at >= CHECK_SUM && at < CHECK_SUM + CHECK_SUM_LENGTH ? ' ' : block[at] & 0xff;
        }
        return sum;
    }

    char type() {
        return (char) (block[156] & 0xff);
    }

    /** The name without what extension headers say. GNU's form has other things where POSIX has a prefix. */
    String name() throws IOException {
        boolean posix = text(257, 5).equals("ustar") && block[262] == 0;
        String prefix = posix ? text(345, 155) : "";
        return prefix.isEmpty() ? text(0, 100) : prefix + "/" + text(0, 100);
    }

    String text(int offset, int length) throws IOException {
        return text(block, offset, offset + length);
    }

    /** The text up to the first NUL. */
    String text(byte[] bytes, int from, int to) throws IOException {
        int end = from;
        while (end < to && bytes[end] != 0) {
            end++;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(malformed)
                    .decode(ByteBuffer.wrap(bytes, from, end - from))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw TarException.damaged(
                    "a name in it is not UTF-8: " + new String(bytes, from, end - from, StandardCharsets.UTF_8));
        }
    }

    /** Octal text, or, with the first bit set, a GNU binary number, negative when all of the first byte is set. */
    long number(int offset, int length) throws IOException {
        if ((block[offset] & 0x80) != 0) {
            return binary(offset, length);
        }
        String digits = text(offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException notOctal) {
            throw TarException.damaged("it is no tar archive, or damaged: a number in a header is not octal");
        }
    }

    private long binary(int offset, int length) throws IOException {
        long value = block[offset] == (byte) 0xff ? -1 : block[offset] & 0x7f;
        for (int at = offset + 1; at < offset + length; at++) {
            if (value >> 54 != 0 && value >> 54 != -1) {
                throw TarException.damaged("a number in a header is too large");
            }
            value = value << 8 | block[at] & 0xff;
        }
        return value;
    }
}
