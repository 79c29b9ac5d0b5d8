package dev.muster.server.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The name of the replica that has a home, the same after every start: one service at a time has it, so it may take its own leases back at
 * once. Two homes never have one name, whatever their hosts are called.
 */
public final class ReplicaName {
    private static final int RANDOM_BYTES = 6;

    private ReplicaName() {}

    /** Reads it, or makes it at the first start, in a file of a home that is held. */
    public static String of(Path home, String host) throws IOException {
        Path file = home.resolve("replica");
        try {
            String name = Files.readString(file).strip();
            if (!name.isEmpty()) {
                return name;
            }
        } catch (NoSuchFileException first) {
            // It is made below.
        }
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String name = host + "-" + HexFormat.of().formatHex(random);
        Files.writeString(file, name + "\n");
        return name;
    }
}
