package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.spi.BackendException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against an API server that answers, and does not let the service see its pods. */
class PodWatchTest {
    private static final String FORBIDDEN =
            "pods is forbidden: User \"few-rights\" cannot list resource \"pods\" in the namespace \"default\"";

    @TempDir
    private Path folder;

    @Test
    void whatIsForbiddenIsToldInTheServersWordsWithWhereTheRightsAre() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.refuse("/api/v1/", 403, FORBIDDEN);
            KubernetesConfig config = TestCluster.config(
                    server.kubeconfig(folder),
                    SamplePods.config().folders(),
                    SamplePods.config().code(),
                    "house");
            try (Cluster cluster = new Cluster(config);
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
