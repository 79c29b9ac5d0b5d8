package dev.muster.backend.docker;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Launch;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Where the data of a job is on this machine. */
final class DataPaths {
    private DataPaths() {}

    /** By name; each is there. */
    static Map<String, Path> of(Launch launch) throws BackendException {
        Map<String, Path> paths = new TreeMap<>();
        for (Map.Entry<String, String> data : launch.spec().data().entrySet()) {
            try {
                Path path = Path.of(launch.folder()).resolve(data.getValue()).normalize();
                if (!Files.exists(path)) {
                    throw missing(data.getKey(), path.toString());
                }
                paths.put(data.getKey(), path);
            } catch (InvalidPathException unspeakable) {
                throw missing(data.getKey(), data.getValue());
            }
        }
        return paths;
    }

    private static BackendException missing(String name, String place) {
        return new BackendException(
                Kind.REFUSED,
                Cause.LAUNCH_FAILED,
                "data." + name + " is not there: " + place
                        + " (put the data there, or correct the path; it is read from the folder of the job file)");
    }
}
