package dev.muster.store;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How PostgreSQL is reached.
 *
 * @param url      {@code postgresql://HOST[:PORT]/DATABASE}, with or without {@code jdbc:} before it; parameters of the driver may follow
 * @param user     role of the database that owns the tables
 * @param password absent where the server asks for none
 * @param keyFile  absolute path of the key that secrets are sealed with: 32 bytes that every replica has alike. The first replica ever
 *     makes it; the others are refused until it was copied to them
 */
public record PostgresSettings(String url, String user, Optional<String> password, Path keyFile) {
    public PostgresSettings {
        url = url.startsWith("jdbc:") ? url : "jdbc:" + url;
        if (!url.startsWith("jdbc:postgresql://")) {
            throw new IllegalArgumentException("a database is given as postgresql://HOST[:PORT]/DATABASE");
        }
    }

    /** What is shown of it: no user, no password, no parameters. */
    String shown() {
        return url.substring("jdbc:".length()).replaceAll("\\?.*", "").replaceAll("//[^/@]*@", "//");
    }

    @Override
    public String toString() {
        return "PostgresSettings[" + shown() + "]";
    }
}
