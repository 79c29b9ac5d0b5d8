package dev.muster.cli.submit;

import dev.muster.cli.arguments.Nearest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** What a file that is not there was probably meant to be. */
final class Beside {
    private Beside() {}

    /**
     * The nearest name of what lies in the same folder, written as the other was.
     *
     * @param name as the person wrote it, relative to {@code folder} or absolute
     */
    static Optional<String> of(Path folder, String name) {
        Path written = Path.of(name);
        Path missing = folder.resolve(written).normalize();
        if (missing.getParent() == null || missing.getFileName() == null) {
            return Optional.empty();
        }
        try (Stream<Path> there = Files.list(missing.getParent())) {
            return Nearest.to(
                            missing.getFileName().toString(),
                            there.map(file -> file.getFileName().toString()).toList())
                    .map(near -> written.resolveSibling(near).toString());
        } catch (IOException | UncheckedIOException noFolder) {
            return Optional.empty();
        }
    }
}
