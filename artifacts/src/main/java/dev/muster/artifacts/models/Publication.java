package dev.muster.artifacts.models;

import dev.muster.artifacts.files.Containment;
import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.Tree;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.formats.files.Folders;
import dev.muster.model.Cause;
import dev.muster.spi.ModelRegistry.PublishException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The way of one job's model folder into its staging folder and, sealed, out of it. Every step may be the last before a crash: what
 * {@link #take} finds on disk tells how far an earlier try came.
 */
final class Publication {
    private static final Set<PosixFilePermission> WRITE = EnumSet.of(
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path staging;
    private final Path source;
    private final Steps steps;

    /**
     * @param staging the staging folder of the job
     * @param source  the chief's model folder
     */
    Publication(Path staging, Path source, Steps steps) {
        this.staging = staging;
        this.source = source;
        this.steps = steps;
    }

    /** Told before each step; tests die there. */
    interface Steps {
        void before(String step);
    }

    Path files() {
        return staging.resolve("files");
    }

    private Path copy() {
        return staging.resolve("copy");
    }

    /** Takes the files over, unless that is done already. */
    void take() throws IOException, PublishException {
        if (Files.isDirectory(files(), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        checkSource();
        steps.before("make staging");
        Files.createDirectories(staging);
        try {
            steps.before("rename in");
            Durable.move(source, files());
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            Folders.delete(copy());
            steps.before("copy in");
            Tree.copy(source, Files.createDirectory(copy()));
            steps.before("rename copy");
            Files.move(copy(), files(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Makes the files read-only, brings them to the disk and hashes them. */
    List<TreeEntry> seal() throws IOException, PublishException {
        steps.before("seal");
        List<TreeEntry> entries = new ArrayList<>();
        for (Tree.Found found : Tree.walk(files())) {
            if (found.attributes().isSymbolicLink() && !Containment.stays(files(), found.path())) {
                throw missing("the link " + files().relativize(found.path()) + " in the model folder leads to "
                        + Files.readSymbolicLink(found.path())
                        + ", which is not part of it; save the file itself there");
            }
            if (found.attributes().isOther()) {
                throw missing(files().relativize(found.path())
                        + " in the model folder is a device, pipe or socket; save only files there");
            }
            if (found.attributes().isRegularFile()) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(found.path());
                permissions.add(PosixFilePermission.OWNER_READ);
                permissions.removeAll(WRITE);
                Files.setPosixFilePermissions(found.path(), permissions);
            }
            entries.add(Tree.entry(files(), found.path()));
        }
        steps.before("sync");
        Durable.syncTree(files());
        return entries;
    }

    /** After a failure: the files are the chief's again and nothing is left here. */
    void giveBack() {
        try {
            if (Files.isDirectory(files(), LinkOption.NOFOLLOW_LINKS)
                    && Files.notExists(source, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(files(), source, StandardCopyOption.ATOMIC_MOVE);
            }
            Folders.delete(staging);
        } catch (IOException leftForTheNextTry) {
            return;
        }
    }

    private void checkSource() throws IOException, PublishException {
        if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            throw missing(
                    "there is no model folder at " + source + "; save the model in the folder MUSTER_MODEL_DIR names");
        }
        boolean holdsFiles =
                Tree.walk(source).stream().anyMatch(found -> !found.attributes().isDirectory());
        if (!holdsFiles) {
            throw missing(
                    "the model folder is empty; the chief must save the model in the folder MUSTER_MODEL_DIR names,"
                            + " or take `model` out of the job text");
        }
    }

    private static PublishException missing(String sentence) {
        return new PublishException(Cause.MODEL_MISSING, sentence);
    }
}
