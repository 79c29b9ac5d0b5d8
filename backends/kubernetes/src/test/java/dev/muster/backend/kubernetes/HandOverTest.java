package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.muster.backend.kubernetes.SmallApiServer.Answer;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hand-over to a pod that the API server knows and whose containers it does not reach. */
class HandOverTest {
    private static final String NAMESPACE = "/api/v1/namespaces/default";
    private static final String HELD = "jabc-standby-0-a1";

    @TempDir
    private Path folder;

    private final Launch launch = SamplePods.launch(SamplePods.standby());
    private final Rendered rendered = new Rendered(List.of("python3", "train.py"), Map.of(), Map.of());
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Optional<String> fenced = Optional.of(HELD);
    private boolean away;
    private boolean over;
    private String member = "worker-0";
    private SmallApiServer server;
    private Cluster cluster;
    private Couriers couriers;
    private HandOver handOver;

    @BeforeEach
    void anApiServer() throws IOException {
        server = new SmallApiServer();
        server.on(NAMESPACE + "/pods", exchange -> unlessAway(new Answer(200, "{\"kind\":\"PodList\",\"items\":[]}")));
        server.on(NAMESPACE + "/pods/" + HELD, this::pod);
        server.on(NAMESPACE + "/pods/" + HELD + "/exec", exchange -> new Answer(500, ""));
        server.on(NAMESPACE + "/secrets", this::secrets);
        KubernetesConfig config = SamplePods.config();
        config = new KubernetesConfig(
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
        cluster = new Cluster(config);
        couriers = new Couriers(config, cluster);
        handOver = new HandOver(config, cluster, couriers, new Nodes(config, cluster));
    }

    @AfterEach
    void isGone() {
        couriers.close();
        cluster.close();
        server.close();
    }

    private Answer unlessAway(Answer answer) {
        return away ? new Answer(503, "{}") : answer;
    }

    private Answer pod(HttpExchange exchange) {
        asked.add(exchange.getRequestMethod());
        return unlessAway(new Answer(200, Serialization.asJson(held())));
    }

    private Answer secrets(HttpExchange exchange) {
        String name = Names.fence(launch.key());
        String items = fenced.map(pod -> "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"" + Labels.POD
                        + "\":\"" + pod + "\"}}}")
                .orElse("");
        boolean makes = exchange.getRequestMethod().equals("POST");
        return unlessAway(
                makes
                        ? new Answer(fenced.isEmpty() ? 201 : 409, "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}")
                        : new Answer(200, "{\"kind\":\"SecretList\",\"items\":[" + items + "]}"));
    }

    private Pod held() {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName(HELD)
                .withUid("u")
                .addToLabels(Map.of(Labels.JOB, "jabc", Labels.INSTANCE, "house"))
                .addToAnnotations(Map.of(
                        Labels.PROCESS,
                        "standby-0",
                        Labels.ATTEMPT,
                        "1",
                        Labels.READY,
                        "true",
                        Labels.DELIVERED,
                        now.toString(),
                        Labels.MEMBER,
                        member))
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .endSpec()
                .withNewStatus()
                .withPhase(over ? "Failed" : "Running")
                .addNewContainerStatus()
                .withName(Labels.MAIN)
                .withNewState()
                .endState()
                .endContainerStatus()
                .addNewInitContainerStatus()
                .withName(Labels.SIDECAR)
                .withNewState()
                .endState()
                .endInitContainerStatus()
                .endStatus();
        if (!over) {
            pod.editStatus()
                    .editMatchingContainerStatus(each -> true)
                    .editState()
                    .withNewRunning()
                    .withStartedAt("2026-01-01T00:00:00Z")
                    .endRunning()
                    .endState()
                    .endContainerStatus()
                    .endStatus();
        }
        return pod.build();
    }

    private void isUndecided() {
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> handOver.start(launch, rendered))
                .matches(lost -> lost.kind() == BackendException.Kind.NO_CONTACT);
    }

    @Test
    void aPodThatMayBeTheAttemptIsEndedAndTheAttemptIsGivenAnotherOnlyWhenItIsOver() throws BackendException {
        isUndecided();
        now = now.plus(Duration.ofSeconds(20));
        isUndecided();
        assertThat(asked).doesNotContain("DELETE");
        for (int minutes = 0; minutes < 3; minutes++) {
            now = now.plus(Duration.ofMinutes(1));
            isUndecided();
        }
        assertThat(asked).contains("DELETE");
        over = true;
        assertThat(handOver.start(launch, rendered)).isFalse();
    }

    @Test
    void thatTheApiServerWasAwayIsNotHeldAgainstThePod() {
        isUndecided();
        away = true;
        for (int seconds = 0; seconds < 90; seconds += 30) {
            now = now.plus(Duration.ofSeconds(30));
            isUndecided();
        }
        away = false;
        isUndecided();
        now = now.plus(Duration.ofSeconds(20));
        isUndecided();
        assertThat(asked).doesNotContain("DELETE");
        now = now.plus(Duration.ofSeconds(20));
        isUndecided();
        assertThat(asked).contains("DELETE");
    }

    /** The order of an attempt that was given up meanwhile may have been taken: nobody else would ever end that. */
    @Test
    void onePodThatWasToBeAnEarlierAttemptOfTheMemberIsEnded() throws BackendException {
        couriers.watch().known(PodReader.read(held()).orElseThrow());
        handOver.lead(launch, Names.pod(launch.key()));
        assertThat(asked).contains("DELETE");
        assertThat(couriers.watch().named(HELD).orElseThrow().annotation(Labels.STOP))
                .contains("kill");
    }

    @Test
    void oneThatIsHeldReadyForNobodyIsLeftAlone() throws BackendException {
        member = "";
        couriers.watch().known(PodReader.read(held()).orElseThrow());
        handOver.lead(launch, Names.pod(launch.key()));
        assertThat(asked).doesNotContain("DELETE");
        ProcessKey known = couriers.watch().named(HELD).orElseThrow().key();
        assertThat(known.name().role()).isEqualTo("standby");
    }
}
