package dev.muster.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.sqlite.JDBC;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/**
 * Keeps the driver's native library unpacked. Left to itself the driver unpacks it at every start, which costs a tenth of a second
 * and leaves a file in /tmp behind after kill -9.
 */
public final class SqliteLibrary {
    private static final String NAME = "libsqlitejdbc.so";

    private SqliteLibrary() {}

    /**
     * Unpacks the library into a folder of the owner's alone, unless it is there.
     *
     * @return the system properties that name it to the driver, to be set before a store is first opened; none where no library of
     *     this form fits the machine or it cannot be written, and then the driver helps itself
     */
    public static Map<String, String> unpacked(Path folder) {
        Path library = folder.resolve(SQLiteJDBCLoader.getVersion()).resolve(NAME);
        try {
            if (!Files.exists(library) && !unpack(library)) {
                return Map.of();
            }
        } catch (IOException noRoom) {
            return Map.of();
        }
        return Map.of("org.sqlite.lib.path", library.getParent().toString(), "org.sqlite.lib.name", NAME);
    }

    private static boolean unpack(Path library) throws IOException {
        String resource = "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + NAME;
        try (InputStream from = JDBC.class.getResourceAsStream(resource)) {
            if (from == null) {
                return false;
            }
            OwnerOnly.folder(library.getParent());
            Path half = Files.createTempFile(library.getParent(), NAME, ".half", OwnerOnly.FILE);
            try (OutputStream out = Files.newOutputStream(half)) {
                from.transferTo(out);
            }
            Files.move(half, library, StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
    }
}
