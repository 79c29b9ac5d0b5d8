package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.muster.spi.BackendException;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an API server is asked when a command is run in a pod, where it knows no such pod. */
class ExecTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int code = 404;
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void open() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] answer =
                    "{\"kind\":\"Status\",\"message\":\"what it says is not kept\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        client = new KubernetesClientBuilder()
                .withHttpClientFactory(new QueueingHttp())
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestTimeout(5_000)
                        .build())
                .build();
    }

    @AfterEach
    void close() {
        client.close();
        server.stop(0);
    }

    @Test
    void aCommandIsOneRequestWithEachOfItsWordsAsItIs() {
        assertThatThrownBy(() -> new Exec(client, "team", "x", "muster").run("sh", "-c", "a && b | c+d é"))
                .isInstanceOf(BackendException.class);
        assertThat(asked)
                .singleElement()
                .asString()
                .startsWith("GET /api/v1/namespaces/team/pods/x/exec?")
                .contains("command=sh&command=-c&command=a%20%26%26%20b%20%7C%20c%2Bd%20%C3%A9&", "container=muster");
    }

    @Test
    void whatTheServerSaysIsTheReasonAndNoTroubleOfTheNetwork() {
        assertThatThrownBy(() -> new Exec(client, "team", "x", "muster").text("true"))
                .isInstanceOfSatisfying(
                        BackendException.class,
                        told -> assertThat(told.kind()).isEqualTo(BackendException.Kind.REFUSED))
                .hasMessageContaining("pod x: there is no such pod");
    }

    @Test
    void whatIsForbiddenIsSaidWithTheRightThatIsMissing() {
        code = 403;
        assertThatThrownBy(() -> new Exec(client, "team", "x", "muster").text("true"))
                .hasMessageContaining("pods/exec")
                .hasMessageContaining("deploy/kubernetes/rbac.yaml");
    }

    @Test
    void aNodeThatDoesNotAnswerIsTroubleOfTheNetwork() {
        code = 500;
        assertThatThrownBy(() -> new Exec(client, "team", "x", "muster").text("true"))
                .isInstanceOfSatisfying(
                        BackendException.class,
                        told -> assertThat(told.kind()).isEqualTo(BackendException.Kind.NO_CONTACT))
                .hasMessageContaining("does not reach the pod's container (it answered 500)");
        assertThat(asked).hasSize(1);
    }

    @Test
    void threePodsOfANodeThatCannotBeReachedSpareTheOthersTheTry() {
        code = 500;
        Reach reach = new Reach();
        for (String pod : List.of("a", "b", "c", "d")) {
            assertThatThrownBy(() -> onNode(reach, pod).text("true")).isInstanceOf(BackendException.class);
        }
        assertThat(asked).hasSize(3);
        assertThatThrownBy(() -> onNode(reach, "e").text("true")).hasMessageContaining("node-1, so pod e waits");
    }

    @Test
    void aPodThatIsNotThereSaysNothingOfItsNode() {
        Reach reach = new Reach();
        for (String pod : List.of("a", "b", "c", "d")) {
            assertThatThrownBy(() -> onNode(reach, pod).text("true")).hasMessageContaining("there is no such pod");
        }
        assertThat(asked).hasSize(4);
    }

    private Exec onNode(Reach reach, String pod) {
        return new Exec(client, "team", pod, "muster").by(reach.into(pod, () -> Optional.of("node-1")));
    }
}
