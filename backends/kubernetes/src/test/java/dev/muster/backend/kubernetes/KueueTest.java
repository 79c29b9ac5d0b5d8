package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Cause;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartScope;
import dev.muster.spi.Sighting.Seen;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a pod of a group of Kueue's looks like is in the golden files of {@link PodFormTest}. */
class KueueTest {
    private static final String POD = """
            metadata:
              name: jabc-worker-1-a1
              uid: u
              labels: {muster.dev/job: jabc, kueue.x-k8s.io/queue-name: team-a}
              annotations: {muster.dev/process: worker-1, muster.dev/attempt: "1"}
            spec:
              schedulingGates: [{name: kueue.x-k8s.io/admission}]
            status:
              phase: PHASE
              conditions: [CONDITION]
            """;

    private static Seen seen(String phase, String condition) {
        String text = POD.replace("PHASE", phase).replace("CONDITION", condition);
        Pod pod = new KubernetesSerialization().unmarshal(text, Pod.class);
        return Observation.of(PodReader.read(pod).orElseThrow(), Set.of(), false, Instant.EPOCH);
    }

    private static List<Problem> problems(BackendKind kind, RestartPolicy restart, Map<String, Integer> roles) {
        Options options = new Options(
                false,
                false,
                false,
                "127.0.0.1",
                Optional.empty(),
                Optional.empty(),
                Optional.of(Map.of("kueueQueue", "team-a")));
        return Kueue.check(TrainingChecksTest.tensorflow(options, restart, roles), kind);
    }

    private static RestartPolicy restarting(RestartScope scope) {
        return new RestartPolicy(
                1,
                RestartPolicy.NEVER.backoff(),
                List.of(new RestartPolicy.Rule(
                        Set.of(3), Set.of(), Optional.empty(), RestartPolicy.Action.RESTART, true, scope)));
    }

    /** Its workers have no pods before its companion runs, which would wait for theirs. */
    @Test
    void aGroupWhoseMembersStartOneAfterTheOtherIsRefused() {
        Options queue = new Options(
                false,
                false,
                false,
                "127.0.0.1",
                Optional.empty(),
                Optional.empty(),
                Optional.of(Map.of("kueueQueue", "team-a")));
        JobSpec horovod = SamplePods.whole()
                .withOptions(queue)
                .spec(FrameworkKind.HOROVOD, SamplePods.whole().spec().roles());
        assertThat(Kueue.check(horovod, BackendKind.KUBERNETES)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("kubernetes.kueueQueue");
            assertThat(problem.message()).contains("rendezvous-0");
        });
    }

    @Test
    void aGroupOfMustersOwnPodsIsTaken() {
        Map<String, Integer> workers = Map.of("worker", 2);
        assertThat(problems(BackendKind.KUBERNETES, restarting(RestartScope.GROUP), workers))
                .isEmpty();
        assertThat(problems(BackendKind.KUBEFLOW, RestartPolicy.NEVER, workers))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("kubernetes.kueueQueue");
                    assertThat(problem.message()).contains("kubeflow");
                });
    }

    @Test
    void aGroupOfWhichPartsAreStartedAnewIsRefused() {
        for (List<Problem> problems : List.of(
                problems(BackendKind.KUBERNETES, restarting(RestartScope.PROCESS), Map.of("worker", 2)),
                problems(BackendKind.KUBERNETES, restarting(RestartScope.ROLE), Map.of("worker", 2)),
                problems(BackendKind.KUBERNETES, RestartPolicy.NEVER, Map.of("worker", 2, "ps", 1)))) {
            assertThat(problems).singleElement().satisfies(problem -> {
                assertThat(problem.field()).isEqualTo("kubernetes.kueueQueue");
                assertThat(problem.suggestion().orElse("")).contains("scope: group");
            });
        }
    }

    @Test
    void whatItWaitsForIsTold() {
        Seen waits =
                seen("Pending", "{type: PodScheduled, status: \"False\", reason: SchedulingGated, message: blocked}");
        assertThat(waits).isInstanceOfSatisfying(Seen.Starting.class, starting -> {
            assertThat(starting.hold().orElseThrow().cause()).isEqualTo(Cause.UNSCHEDULABLE);
            assertThat(starting.hold().orElseThrow().message())
                    .isEqualTo("Kueue has not let its group in from queue team-a yet");
        });
    }

    /** As Kueue 0.17 wrote it. */
    @Test
    void whatAGroupLacksIsToldInItsWordsWithoutTheNameOfThePods() {
        String workload = """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: Workload
                metadata: {name: jabc-a1}
                status:
                  conditions: [{type: QuotaReserved, status: "%s", reason: Pending, message: "%s"}]
                """;
        String said =
                "couldn't assign flavors to pod set 5645fe82: insufficient unused quota for cpu in flavor any, 5m more needed";
        KubernetesSerialization yaml = new KubernetesSerialization();
        assertThat(Kueue.why(yaml.unmarshal(workload.formatted("False", said), GenericKubernetesResource.class)))
                .contains("insufficient unused quota for cpu in flavor any, 5m more needed");
        assertThat(Kueue.why(yaml.unmarshal(
                        workload.formatted("True", "Quota reserved in ClusterQueue team-a"),
                        GenericKubernetesResource.class)))
                .isEmpty();
        assertThat(Kueue.why(yaml.unmarshal(
                        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: a}\n",
                        GenericKubernetesResource.class)))
                .isEmpty();
    }

    @Test
    void aGateOfOthersIsNamed() {
        String text = POD.replace("kueue.x-k8s.io/admission", "example.com/night")
                .replace("PHASE", "Pending")
                .replace("CONDITION", "{type: PodScheduled, status: \"False\", reason: SchedulingGated}");
        assertThat(PodReader.read(new KubernetesSerialization().unmarshal(text, Pod.class))
                        .flatMap(PodSeen::unscheduled))
                .contains("waits until its scheduling gates are taken away: example.com/night");
    }

    @Test
    void whoHadToMakeRoomWasPreempted() {
        Seen ended = seen(
                "Failed",
                "{type: TerminationTarget, status: \"True\", reason: WorkloadEvicted, message: Preempted to accommodate another}");
        assertThat(ended).isInstanceOfSatisfying(Seen.Vanished.class, vanished -> {
            assertThat(vanished.cause()).isEqualTo(Cause.PREEMPTED);
            assertThat(vanished.message()).contains("to accommodate another");
        });
    }
}
