package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Problem;
import dev.muster.model.ProcessPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who is held ready, what it imports, and who cannot be. */
class StandbyTest {
    private static Jobs job(FrameworkKind kind) {
        return Jobs.of(kind).role("worker", 2).standby(1);
    }

    private static List<String> names(LaunchPlan plan) {
        return plan.processes().stream()
                .map(process -> process.name().toString())
                .toList();
    }

    private static List<String> problems(Jobs job, FrameworkKind kind) {
        return Frameworks.of(kind).check(job.spec()).stream()
                .map(Problem::field)
                .toList();
    }

    @Test
    void oneForEachRankImportsTheFramework() {
        Map<FrameworkKind, String> modules = Map.of(
                FrameworkKind.PYTORCH, "torch", FrameworkKind.TENSORFLOW, "tensorflow", FrameworkKind.JAX, "jax");
        modules.forEach((kind, module) -> {
            LaunchPlan plan =
                    job(kind).role("chief", 1).env("OMP_NUM_THREADS", "1").plan();
            assertThat(names(plan)).endsWith("standby-0", "standby-1", "standby-2");
            assertThat(plan.worldSize()).isEqualTo(3);
            ProcessPlan standby = plan.processes().getLast();
            assertThat(standby.rank()).isEmpty();
            assertThat(Site.FRESH.argv(standby)).endsWith(".muster/standby.py", module);
            assertThat(Site.FRESH.env(standby))
                    .containsEntry("OMP_NUM_THREADS", "1")
                    .doesNotContainKey("RANK");
        });
    }

    @Test
    void ranksOfAWorkerCountEach() {
        assertThat(names(job(FrameworkKind.PYTORCH).processesPerWorker(2).plan()))
                .contains("standby-3");
    }

    @Test
    void whereProcessesStartAnewSinglyOneIsForAll() {
        LaunchPlan plan =
                job(FrameworkKind.TENSORFLOW).role("chief", 1).role("ps", 2).plan();
        assertThat(names(plan)).contains("standby-0").doesNotContain("standby-1");
        assertThat(Site.FRESH.env(plan.processes().getFirst()).get("TF_CONFIG")).doesNotContain("standby");
    }

    @Test
    void whoHasNothingToImportIsRefused() {
        for (FrameworkKind kind :
                List.of(FrameworkKind.PLAIN, FrameworkKind.MPI, FrameworkKind.HOROVOD, FrameworkKind.XGBOOST)) {
            assertThat(problems(job(kind), kind)).as("%s", kind).containsExactly("standby");
        }
        assertThat(problems(job(FrameworkKind.PYTORCH).torchrun(), FrameworkKind.PYTORCH))
                .containsExactly("standby");
        assertThat(Frameworks.of(FrameworkKind.PLAIN)
                        .check(job(FrameworkKind.PLAIN).spec())
                        .toString())
                .contains("tensorflow, pytorch (launcher direct, or elastic) and jax");
    }

    @Test
    void onlyAScriptOrAModuleOfPythonCanBeTakenOver() {
        FrameworkKind torch = FrameworkKind.PYTORCH;
        assertThat(problems(job(torch), torch)).isEmpty();
        assertThat(problems(job(torch).exec("python", "-m", "train"), torch)).isEmpty();
        assertThat(problems(job(torch).exec("python", "train"), torch)).isEmpty();
        assertThat(problems(job(torch).exec("python", "-m"), torch)).containsExactly("standby");
        assertThat(problems(job(torch).exec("python", "-O", "train.py"), torch)).containsExactly("standby");
        assertThat(problems(job(torch).exec("./train"), torch)).containsExactly("standby");
        assertThat(Frameworks.of(torch)
                        .check(job(torch).exec("/usr/bin/python3", "train.py").spec())
                        .getFirst()
                        .suggestion())
                .as("whoever wrote a path is told where that goes")
                .hasValueSatisfying(fix -> assertThat(fix).contains("environment.python.interpreter"));
        assertThat(problems(job(torch).shell("python train.py | tee log"), torch))
                .containsExactly("standby");
    }

    @Test
    void noRoleMayHaveTheirName() {
        assertThat(problems(job(FrameworkKind.PYTORCH).sidecar("standby", 1), FrameworkKind.PYTORCH))
                .containsExactly("roles.standby");
    }
}
