package dev.muster.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Problem;
import dev.muster.server.config.ServerConfig.Store;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of a configuration alone. */
class ConfigTextTest {
    private static final Path FOLDER = Path.of("/etc/muster");

    @Test
    void aHomeIsEnoughAndEverythingElseHasItsDefault() {
        ServerConfig config = right("home: /var/lib/muster");
        assertThat(config.listen().toString()).isEqualTo("/127.0.0.1:8470");
        assertThat(config.store()).isEqualTo(new Store.Sqlite(Path.of("/var/lib/muster/store")));
        assertThat(config.audit()).isEqualTo(Path.of("/var/lib/muster/logs/audit.jsonl"));
        assertThat(config.tls()).isEmpty();
        assertThat(config.tokens()).isEmpty();
        assertThat(config.log()).isEmpty();
        assertThat(config.capacity().isEmpty()).isTrue();
    }

    @Test
    void anEmptyConfigurationIsCalledOne() {
        for (String empty : List.of("", "# nothing yet\n\n")) {
            assertThat(ConfigText.read(empty, FOLDER).problems())
                    .extracting(Problem::message)
                    .containsExactly("the configuration is empty");
        }
    }

    @Test
    void aFieldThatIsNearlyRightIsToldWithTheRightOne() {
        assertThat(ConfigText.read("home: a\ncapacity: {gpu: 4}", FOLDER).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.suggestion()).contains("gpus"));
    }

    @Test
    void everythingIsReadAndPathsAreBesideTheFile() {
        ServerConfig config = right("""
                home: data
                listen: "[::]:443"
                url: https://muster.example.org
                tls: {certificate: muster.crt, key: /keys/muster.key}
                tokens: tokens.json
                audit: /var/log/muster/audit.jsonl
                store: {postgresql: {url: "postgresql://db/muster", user: muster, passwordFile: password, keyFile: /keys/seal}}
                capacity: {processes: 8, cpus: 4, memory: 8GiB, gpus: 0}
                backends:
                  docker:
                    host: unix:///run/docker.sock
                    mounts: [/data, /models]
                    files: copied
                    gpus: ["0", "1"]
                    capacity: {cpus: 1.5, memory: 1GiB}
                  kubernetes: {kubeconfig: kube.conf, namespace: muster, pythonClaim: python, patchable: [spec.tolerations]}
                queues: {research: {quota: {gpus: 4}, weight: 3}}
                retention: {logs: 30d, records: forever}
                log: muster.log
                host: gpu-1
                """);
        assertThat(config.home()).isEqualTo(FOLDER.resolve("data"));
        assertThat(config.listen().getPort()).isEqualTo(443);
        assertThat(config.url()).contains(URI.create("https://muster.example.org"));
        assertThat(config.tls())
                .contains(new ServerConfig.Tls(FOLDER.resolve("muster.crt"), Path.of("/keys/muster.key")));
        assertThat(config.store())
                .isEqualTo(new Store.Postgresql(
                        "postgresql://db/muster",
                        "muster",
                        Optional.of(FOLDER.resolve("password")),
                        Path.of("/keys/seal")));
        assertThat(config.capacity().milliCpus()).hasValue(4000);
        assertThat(config.queues().get("research").weight()).isEqualTo(3);
        assertThat(config.longest().logs()).contains(Duration.ofDays(30));
        assertThat(config.longest().records()).isEmpty();
        assertThat(config.backends()).containsExactlyInAnyOrder(BackendKind.DOCKER, BackendKind.KUBERNETES);
        assertThat(config.settings())
                .containsOnly(
                        Map.entry("KUBECONFIG", "/etc/muster/kube.conf"),
                        Map.entry("MUSTER_KUBERNETES_NAMESPACE", "muster"),
                        Map.entry("MUSTER_KUBERNETES_PYTHON_CLAIM", "python"),
                        Map.entry("MUSTER_KUBERNETES_PATCHABLE", "spec.tolerations"),
                        Map.entry("DOCKER_HOST", "unix:///run/docker.sock"),
                        Map.entry("MUSTER_DOCKER_MOUNTS", "/data:/models"),
                        Map.entry("MUSTER_DOCKER_FILES", "copied"),
                        Map.entry("MUSTER_DOCKER_GPUS", "0,1"),
                        Map.entry("MUSTER_DOCKER_CAPACITY", "cpus=1.5,memory=1073741824"));
        assertThat(config.host()).isEqualTo("gpu-1");
        assertThat(config.log()).contains(FOLDER.resolve("muster.log"));
    }

    @Test
    void everyProblemIsToldAtOnceWithItsKeyAndTheNearestOne() {
        List<Problem> problems = ConfigText.read("""
                        listn: 127.0.0.1:1
                        tls: {certificate: a}
                        store: {sqlite: x, postgresql: {url: "postgres://db", usr: muster}}
                        capacity: {cpus: many}
                        retention: {logs: soon}
                        backends: {local: {runAs: {ann: root}}}
                        queues: {Research: {weight: 0}}
                        """, FOLDER).problems();
        assertThat(problems)
                .extracting(Problem::field)
                .contains(
                        "home",
                        "listn",
                        "tls.key",
                        "store.sqlite",
                        "store.postgresql.url",
                        "store.postgresql.usr",
                        "store.postgresql.user",
                        "capacity.cpus",
                        "retention.logs",
                        "backends.local.runAs.ann",
                        "queues.Research",
                        "queues.Research.weight");
        assertThat(suggestion(problems, "listn")).contains("listen");
        assertThat(suggestion(problems, "store.postgresql.usr")).contains("user");
        assertThat(problems).allSatisfy(problem -> assertThat(problem.message()).isNotBlank());
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0:8470", "'[::]:8470'", "192.168.1.5:8470"})
    void anAddressThatOthersReachNeedsTlsTokensAndItsUrl(String listen) {
        List<Problem> problems =
                ConfigText.read("home: /h\nlisten: \"" + listen + "\"", FOLDER).problems();
        assertThat(problems).extracting(Problem::field).containsExactly("tls", "tokens", "url");
        assertThat(problems.getFirst().message()).contains("without TLS everybody on the way reads tokens");
    }

    @ParameterizedTest
    @CsvSource({
        "listen, example.org:80",
        "listen, 127.0.0.1",
        "listen, 127.0.0.1:99999",
        "listen, 1.2.3:80",
        "listen, 127.0.0.256:80",
        "url, ftp://x",
        "url, https://",
        "url, https://x/path",
        "url, https://ann:secret@x",
        "url, 'https://x y'"
    })
    void whatIsNoAddressIsRefused(String field, String value) {
        List<Problem> problems = ConfigText.read("home: /h\n" + field + ": \"" + value + "\"", FOLDER)
                .problems();
        assertThat(problems).extracting(Problem::field).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:8470", "0.0.0.0:8470"})
    void anUrlWithoutTlsIsRefusedWhereTlsIsSpoken(String listen) {
        String rest = "home: /h\nlisten: " + listen + "\ntokens: t\ntls: {certificate: c, key: k}\nurl: ";
        List<Problem> problems =
                ConfigText.read(rest + "http://x.org:8470", FOLDER).problems();
        assertThat(problems).extracting(Problem::field).containsExactly("url");
        assertThat(suggestion(problems, "url")).contains("url: https://x.org:8470");
        assertThat(ConfigText.read(rest + "https://x.org:8470", FOLDER).problems())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"''", "'[]'", "'a: b: c'", "'home: [1, 2]'", "'home: /h\nhome: /i'"})
    void textThatIsNoConfigurationIsRefused(String text) {
        assertThat(ConfigText.read(text, FOLDER).problems()).isNotEmpty();
    }

    private static ServerConfig right(String text) {
        ConfigText.Read read = ConfigText.read(text, FOLDER);
        assertThat(read.problems()).isEmpty();
        return read.config().orElseThrow();
    }

    private static Optional<String> suggestion(List<Problem> problems, String field) {
        return problems.stream()
                .filter(problem -> problem.field().equals(field))
                .findFirst()
                .flatMap(Problem::suggestion);
    }
}
