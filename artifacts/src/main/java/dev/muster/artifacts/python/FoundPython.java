package dev.muster.artifacts.python;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A Python on this machine.
 *
 * @param program     absolute path under which it is run
 * @param real        the file behind all links
 * @param version     implementation, version and machine, such as {@code cpython-311 3.11.7 x86_64}
 * @param environment folder of the virtual environment it belongs to, if it does
 */
record FoundPython(Path program, Path real, String version, Optional<Path> environment) {
    /** Major, minor and patch, such as {@code 3.11.7}. */
    String number() {
        return version.split(" ")[1];
    }
}
