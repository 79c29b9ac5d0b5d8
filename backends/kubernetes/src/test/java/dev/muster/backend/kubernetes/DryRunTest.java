package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testkit.TrialJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The API server itself takes the golden pods, without one being made. */
@Tag("cluster")
class DryRunTest {
    static Stream<Arguments> golden() {
        return PodFormTest.golden();
    }

    @ParameterizedTest
    @MethodSource("golden")
    void theApiServerTakesThePod(String name, TrialJob job) {
        KubernetesConfig config = TestCluster.config(
                TestCluster.get().kubeconfig(),
                SamplePods.config().folders(),
                SamplePods.config().code(),
                "house");
        try (Cluster cluster = new Cluster(config)) {
            assertThat(cluster.dryRun(new PodForm(config).of(SamplePods.launch(job))))
                    .contains("jabc-worker-0-a1");
        }
    }

    /** What {@link ApiTypes} knows, the API server may know better. */
    @Test
    void theApiServerRefusesANameItDoesNotKnow() {
        KubernetesConfig config = TestCluster.config(
                TestCluster.get().kubeconfig(),
                SamplePods.config().folders(),
                SamplePods.config().code(),
                "house");
        Map<String, Object> block = Map.of(
                "volumes",
                List.of(Map.of("name", "x", "mountPath", "/x", "persistantVolumeClaim", Map.of("claimName", "a"))));
        Map<String, Object> pod = new PodForm(config).of(SamplePods.launch(SamplePods.with(Optional.empty(), block)));
        try (Cluster cluster = new Cluster(config)) {
            assertThatThrownBy(() -> cluster.dryRun(pod)).hasMessageContaining("persistantVolumeClaim");
            assertThatThrownBy(() -> cluster.createPod(pod)).hasMessageContaining("persistantVolumeClaim");
        }
    }
}
