package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.EvidenceDocument;
import dev.muster.api.Page;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that hangs, from its stall to what a person can read of it. */
class EvidenceTest {
    @TempDir
    private Path folder;

    private static List<EvidenceDocument> evidence(Served served, String job) {
        return Page.of(Served.json(served.get("/v1/jobs/" + job + "/evidence")), EvidenceDocument::of)
                .items();
    }

    @Test
    void a25_aJobThatHangsFailsAsStalledAndWhatWasSeenCanBeRead() {
        try (Served served = new Served(folder.resolve("home"))) {
            String job = served.submit("{\"name\":\"hang\",\"framework\":\"plain\",\"workers\":2,\"grace\":\"1s\","
                    + "\"stallTimeout\":\"2s\",\"command\":[\"sleep\",\"600\"]}");
            assertThat(evidence(served, job)).isEmpty();
            served.await(job, "Failed");
            assertThat(Served.json(served.get("/v1/jobs/" + job)).text("reason"))
                    .startsWith("Stalled: no progress for stallTimeout (2s)");
            List<EvidenceDocument> files = evidence(served, job);
            assertThat(files)
                    .filteredOn(file -> file.file().equals("summary.txt"))
                    .extracting(EvidenceDocument::process)
                    .containsExactly("worker-0", "worker-1");
            assertThat(files.getFirst().attempt()).isEqualTo(1);
            assertThat(files)
                    .filteredOn(file -> file.file().equals("summary.txt"))
                    .allSatisfy(file -> assertThat(file.text()).contains("sleep: state S"));
        }
    }
}
