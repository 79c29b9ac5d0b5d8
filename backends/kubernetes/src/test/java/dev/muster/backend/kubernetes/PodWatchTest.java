package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.spi.BackendException;
import dev.muster.testkit.Await;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against an API server that answers, and does not let the service see its pods. */
class PodWatchTest {
    private static final String FORBIDDEN =
            "pods is forbidden: User \"few-rights\" cannot list resource \"pods\" in the namespace \"default\"";

    @TempDir
    private Path folder;

    private Cluster cluster(SmallApiServer server) throws IOException {
        return new Cluster(TestCluster.config(
                server.kubeconfig(folder),
                SamplePods.config().folders(),
                SamplePods.config().code(),
                "house"));
    }

    @Test
    void b79_aPodWithoutLabelsIsGivenThemAlsoWhereThatFailsAtFirst() throws Exception {
        try (SmallApiServer server = new SmallApiServer()) {
            server.awayAtFirst("/api/v1/namespaces/default/pods/", 2);
            try (Cluster cluster = cluster(server);
                    PodWatch watch = new PodWatch(cluster, pod -> {})) {
                PodSeen pod = PodReader.read(new PodBuilder()
                                .withNewMetadata()
                                .withName("j1-worker-0-a1")
                                .withUid("u")
                                .addToLabels(Labels.JOB, "j1")
                                .addToAnnotations(Map.of(Labels.PROCESS, "worker-0", Labels.ATTEMPT, "1"))
                                .endMetadata()
                                .withNewSpec()
                                .endSpec()
                                .build())
                        .orElseThrow();
                watch.known(pod);
                watch.unmarked(pod);
                Await.until(
                        "asked until there was an answer",
                        Duration.ofSeconds(20),
                        () -> watch.named(pod.name()).isEmpty());
            }
        }
    }

    @Test
    void whatIsForbiddenIsToldInTheServersWordsWithWhereTheRightsAre() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.refuse("/api/v1/", 403, FORBIDDEN);
            try (Cluster cluster = cluster(server);
                    PodWatch watch = new PodWatch(cluster, pod -> {})) {
                assertThatExceptionOfType(BackendException.class)
                        .isThrownBy(watch::requireContact)
                        .matches(lost -> lost.kind() == BackendException.Kind.NO_CONTACT)
                        .withMessage("pods were listed: " + FORBIDDEN
                                + " (deploy/kubernetes/rbac.yaml holds what Muster needs; where that was applied somebody may be deleting the namespace:"
                                + " kubectl get namespace default)");
            }
        }
    }
}
