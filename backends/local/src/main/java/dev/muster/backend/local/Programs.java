package dev.muster.backend.local;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Programs on a search path.
 *
 * @param path folders separated by colons
 */
record Programs(String path) {
    /** Where the system's own programs are. */
    static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** The system's own programs, whatever PATH somebody has. */
    static Programs ofSystem() {
        return new Programs("/usr/bin:/bin:/usr/sbin:/sbin");
    }

    /** The first program of this name that may be run. */
    Optional<Path> find(String name) {
        return Arrays.stream(path.split(":"))
                .filter(folder -> folder.startsWith("/"))
                .flatMap(folder -> file(folder, name).stream())
                .findFirst();
    }

    private static Optional<Path> file(String folder, String name) {
        try {
            Path file = Path.of(folder, name);
            return Files.isRegularFile(file) && Files.isExecutable(file) ? Optional.of(file) : Optional.empty();
        } catch (InvalidPathException unspeakable) {
            return Optional.empty();
        }
    }

    /** The program, which every Linux has. */
    Path require(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalStateException("the local backend needs the program " + name + " in "
                        + path + ": install util-linux and coreutils"));
    }
}
