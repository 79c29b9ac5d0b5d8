package dev.muster.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Makes small ustar archives. */
final class Tars {
    private Tars() {}

    static byte[] of(Map<String, String> files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        files.forEach((name, text) -> {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(header(name, content.length, "0", ""));
            out.writeBytes(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
        });
        out.writeBytes(new byte[1024]);
        return out.toByteArray();
    }

    /** One symbolic link. */
    static byte[] link(String name, String target) {
        return Arrays.copyOf(header(name, 0, "2", target), 1536);
    }

    /** The head of a file that says it is of that size; nothing of it follows. */
    static byte[] saying(String name, long size) {
        return Arrays.copyOf(header(name, size, "0", ""), 1536);
    }

    private static byte[] header(String name, long size, String kind, String target) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644");
        if (size < 1L << 33) {
            put(header, 124, "%011o".formatted(size));
        } else {
            // Larger than eight octal digits and more can say: the number itself, as GNU tar writes it.
            header[124] = (byte) 0x80;
            System.arraycopy(ByteBuffer.allocate(Long.BYTES).putLong(size).array(), 0, header, 128, Long.BYTES);
        }
        put(header, 136, "00000000000");
        put(header, 148, "        ");
        put(header, 156, kind);
        put(header, 157, target);
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
