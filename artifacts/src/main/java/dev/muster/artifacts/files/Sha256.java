package dev.muster.artifacts.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of files and texts, as 64 lower-case hexadecimal digits. */
public final class Sha256 {
    private static final int BUFFER = 1 << 17;

    private Sha256() {}

    public static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this JVM has no SHA-256", missing);
        }
    }

    public static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    public static String of(String text) {
        MessageDigest digest = start();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return hex(digest);
    }

    /** Reads the whole file; an interrupt ends it. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = start();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer) >= 0) {
                digest.update(buffer.flip());
                buffer.clear();
            }
        }
        return hex(digest);
    }
}
