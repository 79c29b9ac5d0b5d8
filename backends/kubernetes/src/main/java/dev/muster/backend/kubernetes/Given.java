package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Rendered;
import java.nio.file.Path;

/** What no program can be given, on any system. */
final class Given {
    private Given() {}

    static void check(ProcessKey key, Rendered rendered) throws BackendException {
        for (String word : rendered.argv()) {
            if (word.indexOf('\0') >= 0) {
                throw refused(key, "an argument with a NUL character");
            }
        }
        for (var variable : rendered.env().entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty()
                    || name.indexOf('=') >= 0
                    || name.indexOf('\0') >= 0
                    || variable.getValue().indexOf('\0') >= 0) {
                throw refused(key, "the variable " + name.replace('\0', '?'));
            }
        }
        for (String file : rendered.files().keySet()) {
            Path path = Path.of("/work").resolve(file).normalize();
            if (!path.startsWith("/work") || path.equals(Path.of("/work"))) {
                throw refused(key, "the file " + file + ", which is not inside the working folder,");
            }
        }
    }

    private static BackendException refused(ProcessKey key, String what) {
        return Failures.refused(Cause.LAUNCH_FAILED, what + " cannot be given to " + key.name());
    }
}
