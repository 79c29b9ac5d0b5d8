package dev.muster.artifacts.code;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Writes tar archives entry by entry, also ones no honest program writes. */
final class TestTar {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    TestTar file(String name, String content) {
        return entry(name, '0', 0644, content.getBytes(StandardCharsets.UTF_8), "");
    }

    TestTar program(String name, String content) {
        return entry(name, '0', 0755, content.getBytes(StandardCharsets.UTF_8), "");
    }

    TestTar folder(String name) {
        return entry(name, '5', 0755, new byte[0], "");
    }

    TestTar link(String name, String target) {
        return entry(name, '2', 0777, new byte[0], target);
    }

    TestTar hardLink(String name, String target) {
        return entry(name, '1', 0644, new byte[0], target);
    }

    /** A pax header for the entry that follows. */
    TestTar pax(String key, String value) {
        String body = " " + key + "=" + value + "\n";
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        int digits = Integer.toString(length + 2).length();
        String record = (length + digits) + body;
        return entry("PaxHeader", 'x', 0644, record.getBytes(StandardCharsets.UTF_8), "");
    }

    /** A GNU header with a long name for the entry that follows. */
    TestTar longName(String name) {
        return entry("././@LongLink", 'L', 0644, (name + "\0").getBytes(StandardCharsets.UTF_8), "");
    }

    TestTar entry(String name, char type, int mode, byte[] content, String target) {
        byte[] header = header(name, type, mode, content.length, target);
        out.writeBytes(header);
        out.writeBytes(content);
        out.writeBytes(new byte[-content.length & 511]);
        return this;
    }

    static byte[] header(String name, char type, int mode, long size, String target) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, String.format("%07o\0", mode));
        put(header, 124, String.format("%011o\0", size));
        put(header, 136, "00000000000\0");
        header[156] = (byte) type;
        put(header, 157, target);
        put(header, 257, "ustar\00000");
        seal(header);
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }

    private static void seal(byte[] header) {
        put(header, 148, "        ");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format("%06o\0 ", sum));
    }

    TestTar raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    byte[] bytes() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(out.toByteArray());
        whole.writeBytes(new byte[1024]);
        return whole.toByteArray();
    }

    InputStream stream() {
        return new ByteArrayInputStream(bytes());
    }
}
