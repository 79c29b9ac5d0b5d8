package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.FieldProblem;
import dev.muster.api.ManifestDocument;
import dev.muster.api.ProblemDocument;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs as files for {@code kubectl apply}: golden files beside this test's class, and what no such file can say. */
class ExportTest {
    private static final Path GOLDEN = Path.of("src/test/resources/dev/muster/server/export");

    private static final Map<String, String> JOBS = Map.of("tfjob", """
            name: fashion
            framework: tensorflow
            roles: {chief: {count: 1}, worker: {count: 2}, ps: {count: 1, resources: {cpus: 1}}, evaluator: {count: 1}}
            tensorflow: {evaluatorInCluster: true}
            command: [python, train.py, --epochs, "2"]
            code: .
            environment: {image: registry.example/tf:2, python: {requirements: requirements.txt}}
            env: {RATE: "0.1"}
            secrets: {TOKEN: {env: HF_TOKEN}}
            resources: {cpus: 500m, memory: 2GiB, gpus: 1}
            data: {fashion: /data/fashion}
            model: {name: fashion}
            restart: {max: 2}
            deadline: 1h
            kubernetes:
              nodeSelector: {disk: ssd}
              tolerations: [{key: gpu, operator: Exists}]
              affinity: {podAntiAffinity: {}}
              serviceAccount: trainer
              priorityClass: high
              imagePullSecrets: [registry]
              checkpointClaim: shared
              volumes: [{name: data, mountPath: /data, readOnly: true, persistentVolumeClaim: {claimName: data}}]
              podPatch: {metadata: {labels: {team: vision}}}
            """, "pytorchjob", """
            name: ddp
            framework: pytorch
            workers: 3
            processesPerWorker: 2
            pytorch: {launcher: torchrun}
            command: [python, train.py]
            environment: {image: registry.example/torch:2, python: {interpreter: python3.11}}
            network: {interface: eth0, hostNetwork: true, rdma: {resource: rdma/hca, count: 1}}
            suspended: true
            """, "mpijob", """
            name: ring
            framework: mpi
            workers: 2
            processesPerWorker: 2
            command: [mpirun, -np, "4", python3, ring.py]
            environment: {image: registry.example/mpi:4, python: {systemPackages: true}}
            """, "pods", """
            name: cluster
            framework: tensorflow
            roles: {worker: {count: 2}, metrics: {count: 1, sidecar: true, command: tail -f /dev/null | cat}}
            command: [python3, train.py]
            environment: {image: registry.example/tf:2}
            deadline: 10m
            """);

    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() {
        served = new Served(folder.resolve("home"));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    private static HttpResponse<String> export(String as, String text) {
        JsonFields request = Served.jobRequest(text);
        return served.post("/v1/exports?as=" + as, request.toString());
    }

    private static String yaml(String as, String text) {
        HttpResponse<String> answer = export(as, text);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        ManifestDocument document = ManifestDocument.of(Served.json(answer));
        assertThat(document.as()).isEqualTo(as);
        return document.yaml();
    }

    private static List<FieldProblem> problems(String as, String text) {
        HttpResponse<String> answer = export(as, text);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        return ProblemDocument.of(Served.json(answer)).problems();
    }

    @ParameterizedTest
    @CsvSource({"tfjob", "pytorchjob", "mpijob", "pods"})
    void aJobIsThisFile(String as) throws IOException {
        String made = yaml(as, JOBS.get(as));
        Path golden = GOLDEN.resolve(as + ".yaml");
        Files.writeString(folder.resolve(as + ".yaml"), made);
        assertThat(made).isEqualTo(Files.exists(golden) ? Files.readString(golden) : "");
    }

    @Test
    void whatTheOperatorSetsIsLeftToIt() {
        assertThat(yaml("tfjob", JOBS.get("tfjob"))).doesNotContain("TF_CONFIG");
        assertThat(yaml("pytorchjob", JOBS.get("pytorchjob")))
                .doesNotContain("MASTER_ADDR", "name: \"RANK\"", "PET_NODE_RANK", "WORLD_SIZE\"\n        value: \"6");
        assertThat(yaml("mpijob", JOBS.get("mpijob"))).doesNotContain("hostfile", "rsh_agent", "GROUP_SECRET");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    tfjob      | framework                     | {name: a, framework: pytorch, command: [a], environment: {image: i}}
                    mpijob     | framework                     | {name: a, framework: jax, command: [a], environment: {image: i}}
                    pytorchjob | framework                     | {name: a, framework: plain, command: [a], environment: {image: i}}
                    pods       | framework                     | {name: a, framework: mpi, command: [mpirun, a], environment: {image: i}}
                    tfjob      | environment.image             | {name: a, framework: tensorflow, command: [a]}
                    tfjob      | tensorflow.evaluatorInCluster | {name: a, framework: tensorflow, roles: {worker: {count: 1}, evaluator: {count: 1}}, command: [a], environment: {image: i}}
                    tfjob      | tensorflow.sparseCluster      | {name: a, framework: tensorflow, roles: {worker: {count: 1}, ps: {count: 1}}, tensorflow: {sparseCluster: true}, command: [a], environment: {image: i}}
                    tfjob      | roles.metrics                 | {name: a, framework: tensorflow, roles: {worker: {count: 2}, metrics: {count: 1, sidecar: true}}, command: [a], environment: {image: i}}
                    pytorchjob | processesPerWorker            | {name: a, framework: pytorch, processesPerWorker: 2, command: [a], environment: {image: i}}
                    pytorchjob | elastic                       | {name: a, framework: pytorch, workers: 2, elastic: {min: 1, max: 2}, pytorch: {launcher: torchrun}, command: [python, a], environment: {image: i}}
                    tfjob      | name                          | {name: 1a, framework: tensorflow, command: [a], environment: {image: i}}
                    pods       | kubernetes.volumes[0].mountPath | {name: a, framework: plain, command: [a], environment: {image: i}, kubernetes: {volumes: [{name: x, emptyDir: {}}]}}
                    """)
    void whatAFileCannotSayIsRefusedAtItsField(String as, String field, String text) {
        assertThat(problems(as, text)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.suggestion()).isPresent();
        });
    }

    @Test
    void aWrongTextAndAnUnknownKindAreTold() {
        assertThat(problems("tfjob", "{name: a, framework: tensorflow}"))
                .extracting(FieldProblem::field)
                .contains("command");
        assertThat(problems("argo", JOBS.get("tfjob")))
                .extracting(FieldProblem::field)
                .containsExactly("as");
        assertThat(served.post("/v1/exports", "{}").statusCode()).isEqualTo(400);
    }

    private static final String QUEUED =
            "{name: a, framework: %s, workers: 2, command: [a], environment: {image: i}, kubernetes: {kueueQueue: team-a}}";

    @Test
    void theQueueOfKueuesIsTakenOver() {
        assertThat(yaml("pytorchjob", QUEUED.formatted("pytorch")))
                .containsOnlyOnce("  labels:\n    kueue.x-k8s.io/queue-name: \"team-a\"\n")
                .doesNotContain("pod-group");
        assertThat(yaml("pods", QUEUED.formatted("pytorch")).split("kind: \"Pod\""))
                .hasSize(3)
                .filteredOn(text -> text.contains("hostname"))
                .allSatisfy(pod -> assertThat(pod)
                        .contains("kueue.x-k8s.io/queue-name: \"team-a\"")
                        .contains("kueue.x-k8s.io/pod-group-name: \"a\"")
                        .contains("kueue.x-k8s.io/pod-group-total-count: \"2\"")
                        .contains("kueue.x-k8s.io/retriable-in-group: \"false\""));
    }

    @Test
    void aVolumeThatIsGivenIsNotAskedFor() {
        String job = """
                name: here
                framework: plain
                command: echo hi
                environment: {image: i}
                data: {a: /data/a, b: /other/b}
                model: {name: m}
                kubernetes:
                  volumes:
                    - {name: data, mountPath: /data, persistentVolumeClaim: {claimName: data}}
                    - {name: model, mountPath: /muster/model, persistentVolumeClaim: {claimName: model}}
                    - {name: saved, mountPath: /muster/checkpoints, persistentVolumeClaim: {claimName: saved}}
                """;
        assertThat(yaml("pods", job).lines().filter(line -> line.startsWith("#")))
                .contains("# data.a: has to be in volume data, which is mounted at /data.")
                .anyMatch(line -> line.startsWith("# data.b: ") && line.contains("kubernetes.volumes"))
                .noneMatch(line -> line.startsWith("# model") || line.startsWith("# checkpoints"));
    }

    @Test
    void aJobForThisMachineIsWrittenToo() {
        assertThat(yaml(
                        "pods",
                        "{name: here, framework: plain, backend: local, command: echo hi, environment: {image: i}}"))
                .contains("name: \"here-worker-0\"", "- \"echo hi\"");
    }
}
