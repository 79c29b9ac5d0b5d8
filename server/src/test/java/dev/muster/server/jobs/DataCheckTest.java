package dev.muster.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DataCheckTest {
    @TempDir
    Path folder;

    private static JobSpec job(BackendKind backend, String place) {
        return TrialJob.script(new JobId("jabc"), backend, "exit 0")
                .withData(Map.of("a", place))
                .spec();
    }

    /** Whoever mounts or copies it, the service's machine has it. */
    @ParameterizedTest
    @EnumSource
    void b18_dataThatIsNotInTheFolderOfTheJobFileIsRefused(BackendKind backend) throws IOException {
        assertThat(DataCheck.of(job(backend, "data/none"), folder.toString()))
                .singleElement()
                .extracting(Problem::field)
                .isEqualTo("data.a");
        Files.createDirectories(folder.resolve("data/some"));
        assertThat(DataCheck.of(job(backend, "data/some"), folder.toString())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNoPathIsNotLookedFor(BackendKind backend) {
        assertThat(DataCheck.of(job(backend, "s3://bucket/a"), folder.toString()))
                .isEmpty();
        assertThat(DataCheck.of(job(backend, "dataset:a"), folder.toString())).isEmpty();
    }
}
