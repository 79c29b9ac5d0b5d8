package dev.muster.artifacts.python;

import dev.muster.artifacts.files.Lease;
import dev.muster.formats.files.Folders;
import dev.muster.spi.Clock;
import dev.muster.spi.PythonEnvironments;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Removes environments, built or half built, that nobody has used for {@link PythonEnvironments#KEPT}. One goes out of sight by a rename
 * under the lock under which it is given to jobs, so that no job is given one that is going.
 */
final class UnusedFolders {
    private static final String GOING = ".removing-";
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{24}");

    private final Path folder;
    private final Clock clock;

    UnusedFolders(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** @param used those that live jobs use: their time begins anew */
    void remove(Set<Path> used) throws IOException {
        for (Path child : children()) {
            String name = child.getFileName().toString();
            if (name.startsWith(GOING)) {
                Folders.delete(child);
            } else if (KEY.matcher(name).matches() && Files.isDirectory(child)) {
                look(child, used.contains(child));
            }
        }
    }

    private void look(Path environment, boolean used) throws IOException {
        Optional<Lease> lease = Lease.takeIfFree(environment.resolveSibling(environment.getFileName() + ".lock"));
        if (lease.isEmpty()) {
            return; // being built, or just given to a job
        }
        Path going = folder.resolve(GOING + environment.getFileName());
        try (Lease _ = lease.get()) {
            CompleteMarker marker = new CompleteMarker(environment);
            if (used) {
                if (marker.isSet()) {
                    marker.used(clock.now());
                }
                return;
            }
            boolean old = !clock.now().isBefore(marker.lastUse().plus(PythonEnvironments.KEPT));
            if (!old || Orphans.anyRunsIn(environment)) {
                return;
            }
            Folders.delete(going);
            Files.move(environment, going, StandardCopyOption.ATOMIC_MOVE);
            Files.deleteIfExists(environment.resolveSibling(environment.getFileName() + ".log"));
        }
        Folders.delete(going);
    }

    private List<Path> children() throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            all.forEach(children::add);
        } catch (NoSuchFileException none) {
            return List.of();
        }
        return children;
    }
}
