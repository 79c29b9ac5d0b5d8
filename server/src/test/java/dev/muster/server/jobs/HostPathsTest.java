package dev.muster.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.spec.JobText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the service's machine, named by jobs of several users. */
class HostPathsTest {
    @TempDir
    private Path folder;

    @Test
    void onlyFoldersThatAreOpenMayBeNamed() throws Exception {
        Path open = Files.createDirectories(folder.resolve("open"));
        Path shut = Files.createDirectories(folder.resolve("shut"));
        Files.createSymbolicLink(open.resolve("out"), shut);
        Files.writeString(open.resolve("step-1.index"), "");
        HostPaths paths = new HostPaths(() -> Set.of("ann", "bob"), List.of(open));
        for (String right :
                List.of(open.toString(), open + "/step-1", "open", "shut/../open", "s3://bucket/x", "dataset:x")) {
            assertThat(problems(paths, right))
                    .as(right)
                    .extracting(Problem::field)
                    .doesNotContain("data.x");
        }
        for (String wrong :
                List.of(shut.toString(), "/", "/etc/passwd", open + "/../shut", open + "/out", "shut", "none/at/all")) {
            assertThat(problems(paths, wrong))
                    .as(wrong)
                    .extracting(Problem::field)
                    .contains("data.x");
        }
        assertThat(problems(paths, shut.toString()).getFirst().toString())
                .contains("open to jobs (" + open + ")")
                .doesNotContain("s3://");
        assertThat(problems(paths, shut + "/step"))
                .extracting(Problem::field)
                .containsExactly("data.x", "checkpoints.from");
    }

    @Test
    void oneUserMayNameWhatTheServiceCanRead() {
        HostPaths paths = new HostPaths(() -> Set.of("ann"), List.of());
        assertThat(problems(paths, "/etc")).isEmpty();
    }

    private List<Problem> problems(HostPaths paths, String place) {
        return paths.problems(spec(place), folder.toString());
    }

    private static JobSpec spec(String place) {
        String text = "{name: x, framework: plain, command: [\"true\"], data: {x: \"" + place
                + "\"}, checkpoints: {from: \"" + place + "\"}}";
        return JobText.parse(text, List.of(), Frameworks::of).draft().orElseThrow();
    }
}
