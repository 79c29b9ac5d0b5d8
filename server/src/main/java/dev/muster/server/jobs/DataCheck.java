package dev.muster.server.jobs;

import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with {@code data} when a job is submitted: a path of this machine where nothing is. Every backend takes
 * data from here, by mounting or by copying it. */
final class DataCheck {
    private DataCheck() {}

    /** @param folder absolute folder of the job file, from which relative paths are read */
    static List<Problem> of(JobSpec spec, String folder) {
        List<Problem> problems = new ArrayList<>();
        spec.data().forEach((name, place) -> {
            // An absolute path is looked for by the backends themselves, but for docker.
            if (isPath(place) && (spec.backend() == BackendKind.DOCKER || !place.startsWith("/"))) {
                check("data." + name, place, folder, problems);
            }
        });
        return problems;
    }

    static boolean isPath(String place) {
        return !place.contains("://") && !place.startsWith("dataset:");
    }

    private static void check(String field, String place, String folder, List<Problem> problems) {
        try {
            Path path = Path.of(folder).resolve(place).normalize();
            if (!Files.exists(path)) {
                problems.add(
                        Problem.of(
                                field,
                                field + " is not there: " + path
                                        + "; put the data there, or correct the path, which is read from the folder of the job file"));
            }
        } catch (InvalidPathException unspeakable) {
            problems.add(Problem.of(field, field + " is no path"));
        }
    }
}
