package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what was kept of attempts that did not go on. Any thread may call. */
public final class EvidenceReader {
    private static final int MOST_BYTES = 256 << 10;
    private static final int MOST_FILES = 500;

    private final JobFolders folders;

    public EvidenceReader(JobFolders folders) {
        this.folders = folders;
    }

    /**
     * One file.
     *
     * @param text      its first 256 KiB
     * @param truncated whether there is more
     */
    public record EvidenceFile(ProcessKey key, String name, String text, boolean truncated) {}

    /** All files of the job, in the order of processes, attempts and names. */
    public List<EvidenceFile> of(JobId job) throws IOException {
        List<EvidenceFile> files = new ArrayList<>();
        for (var name : LogFolder.processes(folders, job)) {
            for (int attempt : LogFolder.attempts(folders, job, name)) {
                read(new ProcessKey(job, name, attempt), files);
            }
        }
        return files;
    }

    private void read(ProcessKey key, List<EvidenceFile> files) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folders.evidence(key))) {
            entries.forEach(found::add);
        } catch (NoSuchFileException none) {
            return;
        }
        found.sort(null);
        for (Path file : found) {
            if (files.size() < MOST_FILES && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                files.add(read(key, file));
            }
        }
    }

    private static EvidenceFile read(ProcessKey key, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES);
            return new EvidenceFile(
                    key, file.getFileName().toString(), new String(bytes, StandardCharsets.UTF_8), in.read() >= 0);
        }
    }
}
