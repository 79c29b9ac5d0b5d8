package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.ProcessName;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrainingFormTest {
    private static final Map<String, Integer> CHIEF_AND_WORKERS = new LinkedHashMap<>();

    static {
        CHIEF_AND_WORKERS.put("chief", 1);
        CHIEF_AND_WORKERS.put("worker", 2);
    }

    private static TrainingForm form(FrameworkKind framework, Map<String, Integer> roles) {
        TrainingKind kind = TrainingKind.of(framework).orElseThrow();
        return TrainingForm.of(SampleTrainings.launches(kind, SampleTrainings.spec(framework, roles)));
    }

    @Test
    void aGroupIsThisTfJob() throws IOException {
        Map<String, Object> object =
                form(FrameworkKind.TENSORFLOW, CHIEF_AND_WORKERS).object(new PodForm(SamplePods.config()));
        assertThat(PodFormTest.yaml(object)).isEqualTo(PodFormTest.read("tfjob.yaml"));
    }

    @Test
    void workerZeroIsTheMasterOfAPyTorchJob() {
        TrainingForm form = form(FrameworkKind.PYTORCH, Map.of("worker", 3));
        assertThat(form.kind().replicas(form.any().spec()))
                .containsExactly(new Replica("Master", "worker", 0, 1), new Replica("Worker", "worker", 1, 2));
        Launch launch = form.launches().get(new ProcessName("worker", 2));
        assertThat(launch.placement().hosts().get(launch.key().name().member())).isEqualTo("jabc-a2-worker-1.jobs.svc");
        assertThat(launch.placement().hosts().get(new ProcessName("worker", 0).member()))
                .isEqualTo("jabc-a2-master-0.jobs.svc");
        assertThat(form.name()).isEqualTo("jabc-a2");
        assertThat(PodFormTest.yaml(form.object(new PodForm(SamplePods.config()))))
                .contains("Master:", "muster.dev/first: \"1\"", "cleanPodPolicy: \"None\"");
    }

    @Test
    @SuppressWarnings("unchecked")
    void membersOfAnMpiJobGetTheServicesThatTheOperatorDoesNotMake() {
        Map<String, Integer> roles = new LinkedHashMap<>();
        roles.put("launcher", 1);
        roles.put("worker", 2);
        TrainingForm form = form(FrameworkKind.MPI, roles);
        assertThat(form.services())
                .extracting(service -> Tree.inside(service, "metadata").get("name"))
                .containsExactly("jabc-a2-launcher", "jabc-a2-worker-0", "jabc-a2-worker-1");
        assertThat(form.services())
                .extracting(service -> Tree.inside(service, "spec").get("selector"))
                .last()
                .isEqualTo(Map.of(
                        "training.kubeflow.org/job-name", "jabc-a2",
                        "training.kubeflow.org/replica-type", "worker",
                        "training.kubeflow.org/replica-index", "1"));
        Launch worker = form.launches().get(new ProcessName("worker", 1));
        assertThat(worker.placement().hosts())
                .containsEntry(worker.key().name().member(), "jabc-a2-worker-1.jobs.svc")
                .containsEntry(new ProcessName("launcher", 0).member(), "jabc-a2-launcher.jobs.svc");
        assertThat(form.name()).isEqualTo("jabc-a2");
        assertThat(form(FrameworkKind.PYTORCH, CHIEF_AND_WORKERS).services()).isEmpty();
    }

    @Test
    void onlyTheLauncherOfAnMpiJobHasATokenOfItsAccount() {
        Map<String, Integer> roles = new LinkedHashMap<>();
        roles.put("launcher", 1);
        roles.put("worker", 2);
        Map<String, Object> object = form(FrameworkKind.MPI, roles).object(new PodForm(SamplePods.config()));
        assertThat(pod(object, "Launcher")).doesNotContainKey("automountServiceAccountToken");
        assertThat(pod(object, "Worker")).containsKey("automountServiceAccountToken");
        assertThat(PodFormTest.yaml(object)).contains("slotsPerWorker: 1", "kind: \"MPIJob\"");
    }

    private static Map<String, Object> pod(Map<String, Object> object, String type) {
        Map<String, Object> replicas = Tree.inside(Tree.inside(object, "spec"), "mpiReplicaSpecs");
        return Tree.inside(Tree.inside(Tree.inside(replicas, type), "template"), "spec");
    }

    @Test
    void eachMemberReadsALaunchOfItsOwn() throws BackendException {
        TrainingForm form = form(FrameworkKind.PYTORCH, CHIEF_AND_WORKERS);
        Map<ProcessName, Rendered> rendered = new HashMap<>();
        form.launches()
                .forEach((name, launch) ->
                        rendered.put(name, new Rendered(List.of("echo", name.toString()), Map.of(), Map.of())));
        Map<String, String> texts = form.texts(rendered);
        assertThat(texts.keySet()).containsExactly("start", "start.master.0", "start.worker.0", "start.worker.1");
        assertThat(texts.get("start.master.0")).contains("'chief-0'");
        assertThat(texts.get("start.worker.1")).contains("'worker-1'");
    }

    @Test
    void moreThanASecretHoldsIsRefused() {
        TrainingForm form = form(FrameworkKind.TENSORFLOW, CHIEF_AND_WORKERS);
        Map<ProcessName, Rendered> rendered = new HashMap<>();
        form.launches()
                .forEach((name, launch) ->
                        rendered.put(name, new Rendered(List.of("echo", "x".repeat(400_000)), Map.of(), Map.of())));
        assertThatThrownBy(() -> form.texts(rendered))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("all 3 members");
    }

    @Test
    void aPodOfTheOperatorTellsWhoItIs() {
        JobSpec spec = SampleTrainings.spec(FrameworkKind.PYTORCH, Map.of("worker", 3));
        assertThat(TrainingKind.PYTORCHJOB.replicas(spec).get(1).process(1)).hasToString("worker-2");
        assertThat(TrainingPlaces.objectOfPod("jabc-a2-worker-11")).isEqualTo("jabc-a2");
        assertThat(TrainingPlaces.objectOfPod("jabc-a2-launcher")).isEqualTo("jabc-a2");
    }
}
