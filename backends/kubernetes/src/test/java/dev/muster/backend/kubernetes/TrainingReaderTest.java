package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read of an object of the operator. */
class TrainingReaderTest {
    private static Optional<TrainingSeen> read(String runPolicy) {
        return TrainingReader.read(
                TrainingKind.TFJOB,
                new KubernetesSerialization().unmarshal("""
                                apiVersion: kubeflow.org/v1
                                kind: TFJob
                                metadata:
                                  name: jabc-a1
                                  creationTimestamp: "2026-01-01T00:00:00Z"
                                  labels: {muster.dev/job: jabc}
                                  annotations: {muster.dev/processes: "worker-0,worker-1", muster.dev/attempt: "1"}
                                spec: {runPolicy: %s}
                                status:
                                  conditions: [{type: Created, status: "True", reason: TFJobCreated, message: made}]
                                """.formatted(runPolicy), GenericKubernetesResource.class));
    }

    @Test
    void membersAndConditions() {
        TrainingSeen seen = read("{}").orElseThrow();
        assertThat(seen.title()).isEqualTo("TFJob jabc-a1");
        assertThat(seen.members()).extracting(key -> key.name().toString()).containsExactly("worker-0", "worker-1");
        assertThat(seen.condition("Created")).isPresent();
        assertThat(seen.wasSuspended() || seen.deleted()).isFalse();
        assertThat(seen.limit()).isEmpty();
    }

    @Test
    void whatOthersMadeOfItsRunPolicy() {
        assertThat(read("{suspend: true}").orElseThrow().suspended()).isTrue();
        assertThat(read("{activeDeadlineSeconds: 5}").orElseThrow().limit()).contains("activeDeadlineSeconds: 5");
        assertThat(read("{backoffLimit: 0}").orElseThrow().limit()).contains("backoffLimit: 0");
    }
}
