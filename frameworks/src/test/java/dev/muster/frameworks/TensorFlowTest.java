package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Problem;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TensorFlowTest {
    private static Jobs job() {
        return Jobs.of(FrameworkKind.TENSORFLOW);
    }

    private static Jobs allRoles() {
        return job().role("chief", 1).role("worker", 2).role("ps", 1).role("evaluator", 1);
    }

    private static String config(LaunchPlan plan, String name) {
        ProcessPlan process =
                plan.process(ProcessName.parse(name).orElseThrow()).orElseThrow();
        return Site.FRESH.env(process).get("TF_CONFIG");
    }

    /** The cluster map alone. */
    private static String cluster(String config) {
        return config.substring(0, config.indexOf(",\"task\""));
    }

    @Test
    void b01_evaluatorIsInNobodysMapAndHasItsOwnTask() {
        LaunchPlan plan = allRoles().plan();
        List<String> clusters = plan.processes().stream()
                .map(process -> cluster(config(plan, process.name().toString())))
                .distinct()
                .toList();
        assertThat(clusters)
                .containsExactly("{\"cluster\":{\"chief\":[\"chief-0.host:tf\"],"
                        + "\"worker\":[\"worker-0.host:tf\",\"worker-1.host:tf\"],\"ps\":[\"ps-0.host:tf\"]}");
        assertThat(config(plan, "evaluator-0")).endsWith(",\"task\":{\"type\":\"evaluator\",\"index\":0}}");
        assertThat(config(plan, "worker-1")).endsWith(",\"task\":{\"type\":\"worker\",\"index\":1}}");
    }

    @Test
    void b01_evaluatorIsInEveryMapWhenAskedFor() {
        LaunchPlan plan = allRoles().evaluatorInCluster().plan();
        assertThat(plan.processes())
                .allSatisfy(process -> assertThat(config(plan, process.name().toString()))
                        .contains("\"evaluator\":[\"evaluator-0.host:tf\"]}"));
        assertThat(plan.process(new ProcessName("evaluator", 0)).orElseThrow().ports())
                .containsExactly("tf");
    }

    @Test
    void oneProcessBesidesSidecarsGetsNoConfigAndNoPort() {
        LaunchPlan plan = job().role("worker", 1).sidecar("metrics", 2).plan();
        assertThat(plan.processes()).allSatisfy(process -> {
            assertThat(process.env()).doesNotContainKey("TF_CONFIG");
            assertThat(process.ports()).isEmpty();
            assertThat(process.join()).isEqualTo(new Join.Started());
        });
    }

    @Test
    void sidecarsOfAClusterAreNoTasks() {
        LaunchPlan plan = job().role("worker", 2).sidecar("metrics", 1).plan();
        ProcessPlan sidecar = plan.process(new ProcessName("metrics", 0)).orElseThrow();
        assertThat(sidecar.env()).doesNotContainKeys("TF_CONFIG", "MUSTER_RANK");
        assertThat(sidecar.ports()).isEmpty();
        assertThat(sidecar.rank()).isEmpty();
    }

    @Test
    void joiningIsListeningForTasksOfTheClusterOnly() {
        LaunchPlan plan = allRoles().plan();
        assertThat(plan.processes())
                .allSatisfy(process -> assertThat(process.join())
                        .isEqualTo(
                                process.name().role().equals("evaluator")
                                        ? new Join.Started()
                                        : new Join.Listens("tf")));
    }

    @Test
    void a45_inASparseClusterNobodyIsToldOfAnotherWorker() {
        LaunchPlan plan = sparse(3).role("chief", 1).plan();
        String fixed = "\"ps\":[\"ps-0.host:tf\",\"ps-1.host:tf\"]}";
        String chief = "{\"cluster\":{\"chief\":[\"chief-0.host:tf\"],";
        assertThat(config(plan, "worker-2"))
                .isEqualTo(chief + "\"worker\":{\"2\":\"worker-2.host:tf\"}," + fixed
                        + ",\"task\":{\"type\":\"worker\",\"index\":2}}");
        assertThat(config(plan, "chief-0")).isEqualTo(chief + fixed + ",\"task\":{\"type\":\"chief\",\"index\":0}}");
        assertThat(config(plan, "ps-1")).isEqualTo(chief + fixed + ",\"task\":{\"type\":\"ps\",\"index\":1}}");
    }

    private static Jobs sparse(int workers) {
        return job().role("worker", workers).role("ps", 2).sparseCluster();
    }

    @Test
    void a45_whatAWorkerOfASparseClusterIsToldDoesNotDependOnHowManyThereAre() {
        LaunchPlan four = sparse(4).elastic(1, 4).plan();
        assertThat(four.processes()).hasSize(6);
        assertThat(four.processes()).containsAll(sparse(2).elastic(1, 4).plan().processes());
    }

    @Test
    void workersOfASparseClusterJoinByComingToTheFirstParameterServer() {
        LaunchPlan plan = sparse(2).plan();
        assertThat(plan.processes())
                .allSatisfy(process -> assertThat(process.join())
                        .isEqualTo(
                                process.rank().isPresent()
                                        ? new Join.Connected(new Member("ps", 0), "tf")
                                        : new Join.Listens("tf")));
    }

    @Test
    void a45_onlyASparseClusterOfParameterServersIsElastic() {
        assertThat(fields(sparse(2).elastic(1, 4))).isEmpty();
        assertThat(fields(job().role("worker", 2).elastic(1, 4))).containsExactly("elastic");
        Problem dense =
                problems(job().role("worker", 2).role("ps", 1).elastic(1, 4)).getFirst();
        assertThat(dense.field()).isEqualTo("elastic");
        assertThat(dense.suggestion()).contains("tensorflow: {sparseCluster: true}");
    }

    @Test
    void b01_hostListsAreInTheOrderOfIndexes() {
        LaunchPlan plan = job().role("worker", 12).plan();
        var addresses = Pattern.compile("worker-(\\d+)\\.host")
                .matcher(config(plan, "worker-7"))
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
        assertThat(addresses).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void whatItRefuses() {
        assertThat(fields(job().role("chief", 2).role("worker", 1))).containsExactly("roles.chief.count");
        assertThat(fields(job().role("worker", 1).role("evaluator", 2))).containsExactly("roles.evaluator.count");
        assertThat(fields(job().role("worker", 2).processesPerWorker(2))).containsExactly("processesPerWorker");
        assertThat(fields(job().role("worker", 2).evaluatorInCluster()))
                .containsExactly("tensorflow.evaluatorInCluster");
        assertThat(fields(job().role("worker", 2).sparseCluster())).containsExactly("tensorflow.sparseCluster");
        assertThat(fields(allRoles().evaluatorInCluster().sparseCluster())).isEmpty();
    }

    private static List<String> fields(Jobs job) {
        return problems(job).stream().map(Problem::field).toList();
    }

    private static List<Problem> problems(Jobs job) {
        return Frameworks.of(FrameworkKind.TENSORFLOW).check(job.spec());
    }

    @Test
    void theChiefDecidesAndParameterServersMakeRestartsSingle() {
        var framework = Frameworks.of(FrameworkKind.TENSORFLOW);
        assertThat(framework.success(allRoles().spec())).isEqualTo(new SuccessPolicy.Chief());
        assertThat(framework.restartScope(allRoles().spec())).isEqualTo(RestartScope.PROCESS);
        assertThat(framework.restartScope(job().role("worker", 2).spec())).isEqualTo(RestartScope.GROUP);
    }
}
