package dev.muster.backend.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The name of this MUSTER_HOME at every dockerd, made when the first job comes and kept in a file. Two homes on two machines may share a
 * dockerd, so it is no path: whoever tidies up removes only what bears its own name.
 */
final class Installation {
    private final Path file;
    private final Supplier<String> fresh;
    private Optional<String> name = Optional.empty();

    Installation(Path home, Supplier<String> fresh) {
        this.file = home.resolve("docker").resolve("installation");
        this.fresh = fresh;
    }

    /** The name, where there ever was a job. */
    synchronized Optional<String> known() throws IOException {
        if (name.isEmpty()) {
            try {
                name = Optional.of(Files.readString(file).strip());
            } catch (NoSuchFileException none) {
                return Optional.empty();
            }
        }
        return name;
    }

    /** The name, made where there is none. */
    synchronized String name() throws IOException {
        Optional<String> known = known();
        if (known.isPresent()) {
            return known.get();
        }
        Files.createDirectories(file.getParent());
        Path half = file.resolveSibling(".installation");
        Files.writeString(half, fresh.get() + "\n");
        Files.move(half, file);
        return known().orElseThrow();
    }
}
