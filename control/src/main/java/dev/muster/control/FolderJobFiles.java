package dev.muster.control;

import dev.muster.formats.files.Folders;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The files of jobs in folders below MUSTER_HOME. */
public final class FolderJobFiles implements JobFiles {
    private final JobFolders folders;

    public FolderJobFiles(JobFolders folders) {
        this.folders = folders;
    }

    @Override
    public void writeStop(JobId job, long step) throws IOException {
        Path stop = stop(job);
        if (Files.exists(stop)) {
            return;
        }
        Files.createDirectories(stop.getParent());
        Path half = stop.resolveSibling(".stop");
        Files.writeString(half, step + "\n");
        // Read by processes that may run as another user, whatever the umask of the service.
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(half, stop, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void clearStop(JobId job) throws IOException {
        Files.deleteIfExists(stop(job));
    }

    @Override
    public boolean areHere(JobId job) {
        return Files.isDirectory(folders.job(job));
    }

    @Override
    public Path model(ProcessKey key) {
        return folders.model(key);
    }

    @Override
    public void removeLogs(JobId job) throws IOException {
        Folders.delete(folders.job(job).resolve("logs"));
    }

    @Override
    public void removeAll(JobId job) throws IOException {
        Folders.delete(folders.job(job));
    }

    private Path stop(JobId job) {
        return folders.control(job).resolve("stop");
    }
}
