package dev.muster.backend.local;

import dev.muster.model.JobId;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * What this backend keeps in MUSTER_HOME besides the folders of jobs.
 *
 * @param folder the script of shims and the folders below
 * @param name   name of this home among all on the machine
 */
record Own(Path folder, String name) {
    Own(JobFolders folders) throws IOException {
        this(Files.createDirectories(folders.home().resolve("local")), nameOf(folders.home()));
    }

    private static String nameOf(Path home) throws IOException {
        CRC32 checksum = new CRC32();
        checksum.update(home.toRealPath().toString().getBytes(StandardCharsets.UTF_8));
        Object user = Files.getAttribute(home, "unix:uid");
        return user + "-" + Long.toHexString(checksum.getValue());
    }

    /** The job a file is named after; empty for a stranger's file. */
    static Optional<JobId> job(String name) {
        try {
            return Optional.of(new JobId(name));
        } catch (IllegalArgumentException stranger) {
            return Optional.empty();
        }
    }

    /** What was given to which job. */
    Path placements() {
        return folder.resolve("placements");
    }

    /** On which a new home for a process of another user is put together; empty for everybody else. */
    Path stage() {
        return folder.resolve("stage");
    }

    /** Files that wake the service. */
    Path events() {
        return folder.resolve("events");
    }
}
