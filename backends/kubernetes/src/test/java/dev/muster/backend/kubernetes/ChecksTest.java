package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.testkit.TrialJob;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private final Checks checks = new Checks(SamplePods.config(), "jobs", BackendKind.KUBERNETES);

    private List<Problem> problems(Map<String, Object> block) {
        return checks.of(SamplePods.with(Optional.empty(), block).spec());
    }

    private List<String> fields(Map<String, Object> block) {
        return problems(block).stream().map(Problem::field).toList();
    }

    @Test
    void whatAPodCanCarryIsTaken() {
        assertThat(checks.of(SamplePods.whole().spec())).isEmpty();
        assertThat(checks.of(SamplePods.rdma().spec())).isEmpty();
        assertThat(problems(Map.of("namespace", "jobs"))).isEmpty();
    }

    @Test
    void anImageIsNeededAndSaidWhatItHolds() {
        TrialJob without = TrialJob.script(new JobId("jabc"), BackendKind.KUBERNETES, "exit 0");
        assertThat(checks.of(without.spec())).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("environment.image");
            assertThat(problem.suggestion().orElse("")).contains("image:");
        });
    }

    @Test
    void anotherNamespaceIsRefused() {
        assertThat(problems(Map.of("namespace", "kube-system")))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("jobs").contains("kube-system"));
    }

    @Test
    void aPatchMaySetWhatIsAllowedAndNothingElse() {
        assertThat(fields(Map.of("podPatch", Map.of("spec", Map.of("schedulerName", "other")))))
                .isEmpty();
        assertThat(problems(Map.of("podPatch", Map.of("spec", Map.of("hostPID", true)))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("kubernetes.podPatch");
                    assertThat(problem.message()).contains("spec.hostPID");
                    assertThat(problem.suggestion().orElse("")).contains("spec.schedulerName");
                });
        assertThat(fields(Map.of("podPatch", Map.of("spec", Map.of("containers", List.of())))))
                .hasSize(1);
        assertThat(fields(Map.of("podPatch", Map.of("spec", "all")))).hasSize(1);
        assertThat(fields(Map.of("podPatch", Map.of("metadata", Map.of("finalizers", List.of())))))
                .hasSize(1);
    }

    @Test
    void aPatchMayNotTouchMustersOwnLabels() {
        assertThat(fields(Map.of("podPatch", Map.of("metadata", Map.of("labels", Map.of(Labels.JOB, "other"))))))
                .hasSize(1);
        assertThat(fields(Map.of("podPatch", Map.of("metadata", Map.of("labels", Map.of("team", "a"))))))
                .isEmpty();
    }

    private static final Map<String, Object> SCRATCH = Map.of();

    @Test
    void aVolumeHasANameAndAPathOfItsOwn() {
        assertThat(fields(Map.of("volumes", List.of("cache")))).containsExactly("kubernetes.volumes[0]");
        assertThat(fields(
                        Map.of("volumes", List.of(Map.of("name", "a", "mountPath", "/muster/x", "emptyDir", SCRATCH)))))
                .containsExactly("kubernetes.volumes[0].mountPath");
        assertThat(fields(Map.of("volumes", List.of(Map.of("name", "shm", "mountPath", "/x", "emptyDir", SCRATCH)))))
                .containsExactly("kubernetes.volumes[0].name");
        assertThat(fields(Map.of(
                        "volumes", List.of(Map.of("name", "a", "mountPath", "/x", "hostPath", Map.of("path", "/"))))))
                .containsExactly("kubernetes.volumes[0].hostPath");
    }

    @Test
    void whatAVolumeLacksIsNamed() {
        assertThat(said(Map.of("volumes", List.of(Map.of("name", "a", "emptyDir", SCRATCH)))))
                .startsWith("kubernetes.volumes[0].mountPath: is missing");
        assertThat(said(Map.of("volumes", List.of(Map.of("mountPath", "/a", "emptyDir", SCRATCH)))))
                .startsWith("kubernetes.volumes[0].name: is missing");
        assertThat(fields(Map.of("volumes", List.of(Map.of("emptyDir", SCRATCH)))))
                .containsExactly("kubernetes.volumes[0].name", "kubernetes.volumes[0].mountPath");
    }

    /** Kubernetes would make an empty folder of it, which goes with its pod and all that was written there. */
    @Test
    void aVolumeHasOneSource() {
        assertThat(said(Map.of("volumes", List.of(Map.of("name", "a", "mountPath", "/a")))))
                .startsWith("kubernetes.volumes[0]: has no source")
                .contains("emptyDir: {}");
        assertThat(said(Map.of(
                        "volumes",
                        List.of(Map.of(
                                "name",
                                "a",
                                "mountPath",
                                "/a",
                                "emptyDir",
                                SCRATCH,
                                "secret",
                                Map.of("secretName", "s"))))))
                .startsWith("kubernetes.volumes[0]: has more than one source: emptyDir, secret");
    }

    private String said(Map<String, Object> block) {
        List<Problem> problems = problems(block);
        assertThat(problems).hasSize(1);
        return problems.getFirst().toString();
    }

    @Test
    void namesThatKubernetesDoesNotKnowAreRefusedWithTheNearest() {
        assertThat(said(Map.of(
                        "volumes",
                        List.of(Map.of(
                                "name", "x", "mountPath", "/x", "persistantVolumeClaim", Map.of("claimName", "a"))))))
                .startsWith("kubernetes.volumes[0].persistantVolumeClaim: is not a field of a Kubernetes Volume")
                .endsWith("(persistentVolumeClaim)");
        assertThat(said(Map.of(
                        "volumes",
                        List.of(Map.of("name", "x", "mountPath", "/x", "subpath", "a", "emptyDir", SCRATCH)))))
                .startsWith("kubernetes.volumes[0].subpath: ")
                .endsWith("(subPath)");
        assertThat(said(Map.of("affinity", Map.of("nodeAffinty", Map.of()))))
                .startsWith("kubernetes.affinity.nodeAffinty: is not a field of a Kubernetes Affinity")
                .endsWith("(nodeAffinity)");
        assertThat(said(Map.of("tolerations", List.of(Map.of("key", "a"), Map.of("key", "gpu", "operatr", "Exists")))))
                .startsWith("kubernetes.tolerations[1].operatr: ")
                .endsWith("(operator)");
        assertThat(said(Map.of("podPatch", Map.of("spec", Map.of("dnsConfig", Map.of("nameserver", List.of()))))))
                .startsWith("kubernetes.podPatch.spec.dnsConfig.nameserver: ")
                .endsWith("(nameservers)");
        assertThat(fields(Map.of(
                        "tolerations", List.of(Map.of("keyy", "a", "valeu", "b")), "affinity", Map.of("a", Map.of()))))
                .hasSize(3);
    }

    /** Amounts and ports are texts or numbers, and some types are read by hand. */
    @Test
    void whatKubernetesKnowsIsTaken() {
        assertThat(problems(Map.of(
                        "volumes",
                        List.of(
                                volume("emptyDir", Map.of("sizeLimit", "1Gi", "medium", "Memory")),
                                volume("emptyDir", Map.of("sizeLimit", 1000L)),
                                volume("configMap", Map.of("name", "c", "defaultMode", 288L, "items", List.of())),
                                volume("csi", Map.of("driver", "d", "volumeAttributes", Map.of("a", 1L))),
                                volume(
                                        "projected",
                                        Map.of("sources", List.of(Map.of("serviceAccountToken", Map.of("path", "t"))))),
                                volume("nfs", Map.of("server", "s", "path", "/p", "readOnly", true)),
                                volume(
                                        "ephemeral",
                                        Map.of(
                                                "volumeClaimTemplate",
                                                Map.of(
                                                        "spec",
                                                        Map.of(
                                                                "accessModes",
                                                                List.of("ReadWriteOnce"),
                                                                "resources",
                                                                Map.of("requests", Map.of("storage", 5L))))))),
                        "nodeSelector",
                        Map.of("rack", 3L, "gpu", true),
                        "tolerations",
                        List.of(Map.of("operator", "Exists", "tolerationSeconds", 30L)),
                        "podPatch",
                        Map.of(
                                "metadata",
                                Map.of("annotations", Map.of("a", 1L)),
                                "spec",
                                Map.of(
                                        "dnsConfig",
                                        Map.of("options", List.of(Map.of("name", "ndots", "value", 2L))),
                                        "hostAliases",
                                        List.of(Map.of("ip", "10.0.0.1", "hostnames", List.of("a"))),
                                        "topologySpreadConstraints",
                                        List.of(Map.of(
                                                "maxSkew",
                                                1L,
                                                "labelSelector",
                                                Map.of("matchLabels", Map.of("a", "b")))))))))
                .isEmpty();
    }

    private static Map<String, Object> volume(String source, Map<String, Object> content) {
        return Map.of("name", source.toLowerCase(Locale.ROOT), "mountPath", "/x", source, content);
    }

    @Test
    void whatIsNoSuchThingIsRefusedWithWhatIsExpected() {
        assertThat(said(Map.of("tolerations", List.of("x"))))
                .startsWith("kubernetes.tolerations[0]: must be a Kubernetes Toleration, not x");
        assertThat(said(Map.of("affinity", Map.of("nodeAffinity", 3L))))
                .startsWith("kubernetes.affinity.nodeAffinity: must be a Kubernetes NodeAffinity, not 3");
        assertThat(said(Map.of("nodeSelector", Map.of("disk", List.of("ssd")))))
                .startsWith("kubernetes.nodeSelector.disk: must be a text, not a list");
        assertThat(said(Map.of("tolerations", List.of(Map.of("key", "a", "tolerationSeconds", "soon")))))
                .startsWith("kubernetes.tolerations[0].tolerationSeconds: must be a whole number, not soon");
        assertThat(said(Map.of(
                        "volumes", List.of(Map.of("name", "x", "mountPath", "/x", "persistentVolumeClaim", "claim")))))
                .startsWith("kubernetes.volumes[0].persistentVolumeClaim: must be a Kubernetes"
                        + " PersistentVolumeClaimVolumeSource, not claim");
        assertThat(said(Map.of(
                        "volumes",
                        List.of(Map.of("name", "x", "mountPath", "/x", "emptyDir", SCRATCH, "readOnly", "often")))))
                .startsWith("kubernetes.volumes[0].readOnly: must be true or false, not often");
        assertThat(said(Map.of("podPatch", Map.of("spec", Map.of("topologySpreadConstraints", Map.of())))))
                .startsWith("kubernetes.podPatch.spec.topologySpreadConstraints: must be a list, not a mapping");
    }

    @Test
    void severalRanksOfAWorkerNeedAProcessThatStartsThem() {
        Checks kubeflow = new Checks(SamplePods.config(), "jobs", BackendKind.KUBEFLOW);
        Map<String, Integer> workers = Map.of("worker", 2);
        assertThat(kubeflow.of(SampleTrainings.spec(FrameworkKind.MPI, Map.of("launcher", 1, "worker", 2), 2)))
                .isEmpty();
        assertThat(kubeflow.of(SampleTrainings.spec(FrameworkKind.HOROVOD, workers, 2)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("processesPerWorker");
                    assertThat(problem.suggestion().orElse("")).isEqualTo("ask for more workers");
                });
        assertThat(kubeflow.of(SampleTrainings.spec(FrameworkKind.PYTORCH, workers, 2)))
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.suggestion().orElse("")).contains("torchrun"));
    }

    @Test
    void b18_dataThatIsNotThereIsRefusedAtOnce() {
        assertThat(checks.of(SamplePods.plain()
                        .withData(Map.of("a", "/no/such/place"))
                        .spec()))
                .singleElement()
                .satisfies(problem -> assertThat(problem.field()).isEqualTo("data.a"));
    }

    private static List<Problem> ofStandby(TrialJob job, BackendKind kind) {
        JobSpec spec = job.withArgv("python3", "train.py").withStandby(1).spec();
        return new Checks(SamplePods.config(), "jobs", kind)
                .of(spec).stream()
                        .filter(problem -> problem.field().equals("standby"))
                        .toList();
    }

    @Test
    void whyNobodyIsHeldReadyIsSaidForEach() {
        Map<String, TrialJob> refused = Map.of(
                "GPUs", SamplePods.plain().withResources(new Resources(OptionalInt.empty(), OptionalLong.empty(), 1)),
                "RDMA", SamplePods.rdma(),
                "kueueQueue", SamplePods.kueue(),
                "hostNetwork",
                        SamplePods.with(
                                Optional.of(new Options.Network(Optional.empty(), true, Optional.empty())), Map.of()));
        refused.forEach((why, job) -> assertThat(ofStandby(job, BackendKind.KUBERNETES))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains(why)));
        assertThat(ofStandby(SamplePods.plain(), BackendKind.KUBERNETES)).isEmpty();
        assertThat(ofStandby(SamplePods.plain(), BackendKind.KUBEFLOW))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("operator"));
    }
}
