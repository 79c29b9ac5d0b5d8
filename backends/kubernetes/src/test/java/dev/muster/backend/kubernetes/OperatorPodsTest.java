package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorPodsTest {
    private static ObjectMeta pod(String index, Map<String, String> annotations) {
        return new ObjectMetaBuilder()
                .withName("jabc-a1-worker-" + index)
                .withNamespace("jobs")
                .addToLabels(OperatorPods.INDEX, index)
                .withAnnotations(annotations)
                .build();
    }

    @Test
    void aMemberIsCountedFromTheFirstOfItsTemplate() {
        Map<String, String> read = OperatorPods.annotations(
                pod("1", Map.of(Labels.ROLE, "worker", Labels.FIRST, "1", Labels.CHIEF, "true")));
        assertThat(read)
                .containsEntry(Labels.PROCESS, "worker-2")
                .containsEntry(Labels.ADDRESS, "jabc-a1-worker-1.jobs.svc")
                .doesNotContainKey(Labels.CHIEF);
    }

    @Test
    void theFirstOfATemplateMayBeTheChief() {
        assertThat(OperatorPods.annotations(
                        pod("0", Map.of(Labels.ROLE, "worker", Labels.FIRST, "0", Labels.CHIEF, "true"))))
                .containsEntry(Labels.CHIEF, "true")
                .containsEntry(Labels.PROCESS, "worker-0");
    }

    @Test
    void aPodOfMustersOwnStaysAsItIs() {
        Map<String, String> own = Map.of(Labels.PROCESS, "worker-3", Labels.ADDRESS, "a");
        assertThat(OperatorPods.annotations(new ObjectMetaBuilder()
                        .withName("x")
                        .withAnnotations(own)
                        .build()))
                .isEqualTo(own);
    }
}
