package dev.muster.server;

import java.io.ByteArrayOutputStream;
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
            byte[] header = new byte[512];
            put(header, 0, name);
            put(header, 100, "0000644");
            put(header, 124, "%011o".formatted(content.length));
            put(header, 136, "00000000000");
            put(header, 148, "        ");
            put(header, 156, "0");
            put(header, 257, "ustar\0" + "00");
            int sum = 0;
            for (byte each : header) {
                sum += each & 0xff;
            }
            put(header, 148, "%06o\0 ".formatted(sum));
            out.writeBytes(header);
            out.writeBytes(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
        });
        out.writeBytes(new byte[1024]);
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
