package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testkit.TrialJob;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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
}
