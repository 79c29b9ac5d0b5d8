package dev.muster.server.jobs;

import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which files of the service's machine a job may name in {@code data} and {@code checkpoints.from}. Backends give them to processes with the
 * rights of the service, whose own files are among them; so where several users share it only folders that its operator names.
 *
 * @param users   those whom the service lets in now
 * @param folders absolute folders, with all below them
 */
public record HostPaths(Supplier<Set<String>> users, List<Path> folders) {
    public HostPaths {
        folders = List.copyOf(folders);
    }

    /** @param folder absolute folder of the job file, from which relative paths are read */
    List<Problem> problems(JobSpec spec, String folder) {
        List<Problem> problems = new ArrayList<>();
        if (users.get().size() > 1) {
            spec.data().forEach((name, place) -> {
                if (DataCheck.isPath(place)) {
                    check("data." + name, place, folder, problems);
                }
            });
            spec.checkpoints()
                    .from()
                    .filter(from -> from.contains("/") || isThere(folder, from))
                    .ifPresent(from -> check("checkpoints.from", from, folder, problems));
        }
        return problems;
    }

    private String shown() {
        return folders.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static boolean isThere(String folder, String name) {
        try {
            return Files.exists(Path.of(folder).resolve(name));
        } catch (InvalidPathException unspeakable) {
            return false;
        }
    }

    /** What does not exist is not told from what is not allowed. */
    private void check(String field, String place, String folder, List<Problem> problems) {
        try {
            Path path = Path.of(folder).resolve(place);
            // A TensorFlow checkpoint is a prefix; no file of it has that very name.
            Optional<Path> parent = Optional.ofNullable(path.getParent());
            Path real = Files.exists(path) || parent.isEmpty()
                    ? path.toRealPath()
                    : parent.get().toRealPath().resolve(path.getFileName());
            for (Path allowed : folders) {
                if (real.startsWith(allowed.toRealPath())) {
                    return;
                }
            }
        } catch (IOException | InvalidPathException notThere) {
            // told below
        }
        problems.add(Problem.of(
                field,
                field
                        + " names a path of the service's machine, which several users share, outside of the folders that are open to"
                        + " jobs (" + (folders.isEmpty() ? "there are none" : shown()) + ")",
                "have the service's configuration name the folder in hostPaths, or put the data in one that it names"));
    }
}
