package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderJobFilesTest {
    private static final JobId JOB = new JobId("job0001");

    @TempDir
    Path home;

    @Test
    void aStopFileIsWrittenWholeStaysAsItIsAndGoes() throws IOException {
        FolderJobFiles files = new FolderJobFiles(new JobFolders(home));
        Path stop = home.resolve("jobs/job0001/control/stop");
        files.writeStop(JOB, 120);
        files.writeStop(JOB, 130);
        assertThat(stop).hasContent("120\n");
        assertThat(stop.getParent()).isDirectoryContaining(path -> path.equals(stop));
        assertThat(Files.list(stop.getParent())).hasSize(1);
        files.clearStop(JOB);
        files.clearStop(JOB);
        assertThat(stop).doesNotExist();
    }

    @Test
    void whatIsRemovedGoesWhollyAndLinksAreNotFollowed() throws IOException {
        FolderJobFiles files = new FolderJobFiles(new JobFolders(home));
        Path logs = Files.createDirectories(home.resolve("jobs/job0001/logs/worker-0"));
        Files.writeString(logs.resolve("a1.log"), "hi");
        Path outside = Files.writeString(home.resolve("keep"), "mine");
        Path folder = Files.createDirectories(home.resolve("jobs/job0001/checkpoints"));
        Files.createSymbolicLink(folder.resolve("link"), home);
        files.removeLogs(JOB);
        files.removeLogs(JOB);
        assertThat(home.resolve("jobs/job0001/logs")).doesNotExist();
        assertThat(folder).exists();
        files.removeAll(JOB);
        assertThat(home.resolve("jobs/job0001")).doesNotExist();
        assertThat(outside).hasContent("mine");
    }
}
