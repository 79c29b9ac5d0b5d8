package dev.muster.artifacts.python;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A folder for PATH in which {@code python} and {@code python3} are one given program. They are scripts, not links: a Python reached by
 * a link of another place no longer finds the virtual environment it belongs to.
 *
 * @param folder the folder
 * @param python absolute path of the program
 */
record Wrapper(Path folder, String python) {
    /** Makes it, unless it is there. */
    void make() throws IOException {
        Files.createDirectories(folder);
        for (String name : new String[] {"python", "python3"}) {
            Path script = folder.resolve(name);
            if (!Files.isExecutable(script)) {
                Path draft = Files.createTempFile(folder, "." + name, ".tmp");
                Files.writeString(draft, "#!/bin/sh\nexec '" + python.replace("'", "'\\''") + "' \"$@\"\n");
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(draft, script, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }
}
