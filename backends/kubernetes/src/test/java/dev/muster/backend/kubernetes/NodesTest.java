package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.kubernetes.SmallApiServer.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which nodes count as lost. */
class NodesTest {
    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private boolean away;
    private String ready = "True";

    private KubernetesConfig config(SmallApiServer server) throws IOException {
        KubernetesConfig config = SamplePods.config();
        return new KubernetesConfig(
                config.folders(),
                config.code(),
                () -> now,
                config.freshName(),
                config.instance(),
                Optional.of(server.kubeconfig(folder)),
                config.namespace(),
                config.sidecarImage(),
                config.gpuResource(),
                config.pythonClaim(),
                config.patchable(),
                config.capacity(),
                config.collectWithin());
    }

    private Answer nodes() {
        return away
                ? new Answer(503, "{}")
                : new Answer(
                        200,
                        "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"n1\"},\"spec\":{},\"status\":{\"conditions\":"
                                + "[{\"type\":\"Ready\",\"status\":\"" + ready + "\"}]}}]}");
    }

    @Test
    void b80_oneThatSeemsLostAfterTheApiServerWasAwayHasTimeToTellThatItLives() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.on("/api/v1/nodes", exchange -> nodes());
            server.on("/api/v1/pods", 200, "{\"kind\":\"PodList\",\"items\":[]}");
            KubernetesConfig config = config(server);
            try (Cluster cluster = new Cluster(config);
                    Nodes nodes = new Nodes(config, cluster)) {
                nodes.look();
                away = true;
                nodes.look();
                away = false;
                ready = "Unknown";
                nodes.look();
                now = now.plus(Duration.ofSeconds(20));
                nodes.look();
                assertThat(nodes.lost()).isEmpty();
                now = now.plus(Duration.ofSeconds(10));
                nodes.look();
                assertThat(nodes.lost()).containsExactly("n1");
                away = true;
                nodes.look();
                away = false;
                nodes.look();
                assertThat(nodes.lost()).as("it was lost before").containsExactly("n1");
                ready = "True";
                nodes.look();
                assertThat(nodes.lost()).isEmpty();
                ready = "Unknown";
                now = now.plus(Duration.ofSeconds(30));
                nodes.look();
                assertThat(nodes.lost()).as("nobody else was away").containsExactly("n1");
            }
        }
    }
}
