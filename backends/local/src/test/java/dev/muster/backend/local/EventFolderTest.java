package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder through which shims wake the service. */
class EventFolderTest {
    @TempDir
    private Path folder;

    @Test
    void whatShimsLeftWhileNoServiceLivedIsCleared() throws IOException {
        Files.createFile(folder.resolve("job1.worker-0.a1.s"));
        Files.createFile(folder.resolve("job1.worker-0.a1.x"));
        try (EventFolder events = new EventFolder(folder)) {
            assertThat(events).isNotNull();
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void whatComesLaterIsToldOnceAndCleared() throws Exception {
        try (EventFolder events = new EventFolder(folder)) {
            Files.createFile(folder.resolve("job1.worker-0.a1.x"));
            Set<JobId> told = new HashSet<>();
            for (int tries = 0; tries < 100 && told.isEmpty(); tries++) {
                told.addAll(events.await(Duration.ofMillis(100)));
            }
            assertThat(told).containsExactly(new JobId("job1"));
            assertThat(folder).isEmptyDirectory();
        }
    }
}
