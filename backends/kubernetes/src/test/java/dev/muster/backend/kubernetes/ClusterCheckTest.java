package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCheckTest {
    private static final String PODS = "/api/v1/namespaces/away/pods";
    private static final String NONE = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}";

    @TempDir
    private Path folder;

    private Optional<String> problem(SmallApiServer server) throws IOException {
        return ClusterCheck.problem(Optional.of(server.kubeconfig(folder)), Optional.of("away"));
    }

    @Test
    void aFileThatIsNoKubeconfigIsNamed() throws IOException {
        Path file = folder.resolve("kubeconfig");
        assertThat(ClusterCheck.problem(Optional.of(Files.writeString(file, "")), Optional.empty())
                        .orElseThrow())
                .isEqualTo("the kubeconfig " + file + " cannot be read as one: it is empty, or has no content");
        assertThat(ClusterCheck.problem(Optional.of(Files.writeString(file, "clusters: [a: {")), Optional.empty())
                        .orElseThrow())
                .startsWith("the kubeconfig " + file + " cannot be read as one: ");
    }

    /** An API server lists no pods of a namespace that is not there, as if it were there and empty. */
    @Test
    void aNamespaceThatIsNotThereIsFoundByWhatCouldBeMadeInIt() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.on(PODS, 200, NONE);
            server.refuse("/api/v1/namespaces/away/secrets", 404, "namespaces \"away\" not found");
            assertThat(problem(server).orElseThrow())
                    .startsWith("a Secret was tried in namespace away (dry run): namespaces \"away\" not found")
                    .contains("MUSTER_KUBERNETES_NAMESPACE");
        }
    }

    @Test
    void whereAllIsThereNothingIsWrong() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.on(PODS, 200, NONE);
            server.on("/api/v1/namespaces/away/secrets", 201, "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}");
            assertThat(problem(server)).isEmpty();
        }
    }

    @Test
    void anUnknownTokenAndTooFewRightsAreTold() throws IOException {
        try (SmallApiServer server = new SmallApiServer()) {
            server.refuse(PODS, 401, "Unauthorized");
            assertThat(problem(server).orElseThrow()).contains("renew the token of its kubeconfig");
        }
        try (SmallApiServer server = new SmallApiServer()) {
            server.refuse(PODS, 403, "pods is forbidden");
            assertThat(problem(server).orElseThrow()).contains("pods is forbidden", "deploy/kubernetes/rbac.yaml");
        }
    }

    @Test
    void oneThatDoesNotAnswerIsTold() throws IOException {
        Path gone;
        try (SmallApiServer server = new SmallApiServer()) {
            gone = Files.copy(server.kubeconfig(folder), folder.resolve("gone"));
        }
        assertThat(ClusterCheck.problem(Optional.of(gone), Optional.empty()).orElseThrow())
                .contains("the cluster at http://127.0.0.1:", "the cluster's API server cannot be reached");
        Files.writeString(gone, Files.readString(gone).replaceFirst("server: \"[^\"]*\"", "server: \"\""));
        assertThat(ClusterCheck.problem(Optional.of(gone), Optional.empty()).orElseThrow())
                .contains("(the kubeconfig names no server)", "the cluster's API server cannot be reached");
    }
}
