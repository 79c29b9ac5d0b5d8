package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Problem;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PyTorchTest {
    private static final String RUN = "torch.distributed.run";

    private static Jobs job() {
        return Jobs.of(FrameworkKind.PYTORCH).role("worker", 2);
    }

    private static List<String> values(LaunchPlan plan, String variable) {
        return plan.processes().stream()
                .map(process -> Site.FRESH.env(process).get(variable))
                .toList();
    }

    private static List<String> argv(Jobs job) {
        return Site.FRESH.argv(job.plan().processes().getFirst());
    }

    @Test
    void b03_ranksCountProcessesNotWorkers() {
        LaunchPlan plan = job().processesPerWorker(2).plan();
        assertThat(plan.processes())
                .extracting(process -> process.name().toString())
                .containsExactly("worker-0.0", "worker-0.1", "worker-1.0", "worker-1.1");
        assertThat(values(plan, "WORLD_SIZE")).containsOnly("4");
        assertThat(values(plan, "RANK")).containsExactly("0", "1", "2", "3");
        assertThat(values(plan, "LOCAL_RANK")).containsExactly("0", "1", "0", "1");
        assertThat(values(plan, "LOCAL_WORLD_SIZE")).containsOnly("2");
        assertThat(values(plan, "GROUP_RANK")).containsExactly("0", "0", "1", "1");
        assertThat(values(plan, "NODE_RANK")).containsExactly("0", "0", "1", "1");
        assertThat(values(plan, "MUSTER_RANK")).containsExactly("0", "1", "2", "3");
    }

    @Test
    void b03_torchrunIsToldTheSameNumbers() {
        LaunchPlan plan = job().processesPerWorker(2).torchrun().plan();
        assertThat(plan.worldSize()).isEqualTo(2);
        assertThat(values(plan, "PET_NNODES")).containsOnly("2");
        assertThat(values(plan, "PET_NPROC_PER_NODE")).containsOnly("2");
        assertThat(values(plan, "PET_NODE_RANK")).containsExactly("0", "1");
        assertThat(values(plan, "PET_MAX_RESTARTS")).containsOnly("0");
        assertThat(values(plan, "RANK")).containsOnlyNulls();
    }

    @Test
    void b05_masterAddressIsTheHostOfRankZero() {
        for (Jobs job : List.of(job(), job().role("chief", 1), job().processesPerWorker(3))) {
            LaunchPlan plan = job.plan();
            Member first = plan.processes().getFirst().name().member();
            assertThat(plan.processes())
                    .extracting(process -> process.env().get("MASTER_ADDR"))
                    .containsOnly(Template.of(new Part.HostOf(first)));
            assertThat(plan.processes())
                    .extracting(process -> process.env().get("MASTER_PORT"))
                    .containsOnly(Template.of(new Part.PortOf(first, "master")));
            assertThat(plan.ports().get(first)).containsExactly("master");
        }
    }

    @Test
    void b05_torchrunMeetsAtTheHostOfRankZero() {
        assertThat(values(job().torchrun().plan(), "PET_MASTER_ADDR")).containsOnly("worker-0.host");
    }

    @Test
    void a45_anElasticGroupMeetsAtACompanionThatOutlivesAnyWorker() {
        LaunchPlan plan = job().torchrun().elastic(1, 3).plan();
        ProcessName companion = new ProcessName("rendezvous", 0);
        assertThat(plan.processes())
                .extracting(process -> process.name().toString())
                .containsExactly("worker-0", "worker-1", "rendezvous-0");
        assertThat(values(plan, "PET_RDZV_ENDPOINT"))
                .containsExactly("rendezvous-0.host:rendezvous", "rendezvous-0.host:rendezvous", null);
        assertThat(values(plan, "PET_RDZV_CONF").getFirst()).startsWith("is_host=false,join_timeout=660,");
        ProcessPlan worker = plan.processes().getFirst();
        assertThat(worker.join()).isEqualTo(new Join.Connected(companion.member(), "rendezvous"));
        assertThat(worker.after()).containsExactly(companion);
        assertThat(plan.process(companion).orElseThrow().essential()).isTrue();
    }

    @Test
    void a45_whatAWorkerIsToldDoesNotDependOnHowManyThereAre() {
        List<ProcessPlan> two = job().torchrun().elastic(1, 4).plan().processes();
        List<ProcessPlan> four = Jobs.of(FrameworkKind.PYTORCH)
                .role("worker", 4)
                .torchrun()
                .elastic(1, 4)
                .plan()
                .processes();
        assertThat(four).containsAll(two).hasSize(5);
    }

    @Test
    void theLauncherOfAnElasticGroupIsOurs() {
        Jobs job = job().torchrun().elastic(1, 4);
        assertThat(argv(job)).startsWith("/env/bin/python", ".muster/torchrun.py", "train.py");
        assertThat(job.plan().processes().getFirst().files())
                .containsOnlyKeys(".muster/torchrun.py", ".muster/_muster_ranks.py", ".muster/_muster_script.py");
        assertThat(argv(job.exec("torchrun", "train.py"))).startsWith("torchrun", "train.py");
    }

    @Test
    void rankZeroListensAndTheOthersConnect() {
        for (Jobs job : List.of(job(), job().torchrun())) {
            assertThat(job.plan().processes())
                    .extracting(ProcessPlan::join)
                    .containsExactly(new Join.Listens("master"), new Join.Connected(new Member("worker", 0), "master"));
        }
        assertThat(Jobs.of(FrameworkKind.PYTORCH).role("worker", 1).plan().processes())
                .extracting(ProcessPlan::join)
                .containsOnly(new Join.Started());
    }

    @Test
    void sidecarsGetNothingOfPyTorch() {
        for (Jobs job :
                List.of(job().sidecar("metrics", 1), job().sidecar("metrics", 1).torchrun())) {
            ProcessPlan sidecar =
                    job.plan().process(new ProcessName("metrics", 0)).orElseThrow();
            assertThat(sidecar.env().keySet())
                    .allMatch(name ->
                            name.startsWith("MUSTER_") || name.equals("PATH") || name.equals("PYTHONUNBUFFERED"));
            assertThat(Site.FRESH.argv(sidecar)).doesNotContain(RUN);
            assertThat(sidecar.join()).isEqualTo(new Join.Started());
        }
    }

    @Test
    void torchrunStartsScriptsAndModules() {
        assertThat(argv(job().torchrun())).containsExactly("/env/bin/python", "-m", RUN, "train.py", "--epochs", "2");
        assertThat(argv(job().torchrun().exec("python3", "-m", "pkg.train", "-x")))
                .containsExactly("/env/bin/python", "-m", RUN, "-m", "pkg.train", "-x");
    }

    @Test
    void torchrunStartsAnythingElseAsItIs() {
        assertThat(argv(job().torchrun().exec("./train.sh", "a")))
                .containsExactly("/env/bin/python", "-m", RUN, "--no_python", "./train.sh", "a");
        assertThat(argv(job().torchrun().exec("python", "-O", "train.py")))
                .containsExactly("/env/bin/python", "-m", RUN, "--no_python", "/env/bin/python", "-O", "train.py");
        assertThat(argv(job().torchrun().shell("echo torchrunner; python train.py")))
                .containsExactly(
                        "/env/bin/python",
                        "-m",
                        RUN,
                        "--no_python",
                        "/bin/bash",
                        "-o",
                        "pipefail",
                        "-c",
                        "echo torchrunner; python train.py");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"torchrun train.py", "cd src && python -m torch.distributed.run train.py", "/opt/bin/torchrun x"
            })
    void aCommandThatStartsTorchrunItselfIsLeftAsItIs(String script) {
        assertThat(argv(job().torchrun().shell(script))).containsExactly("/bin/bash", "-o", "pipefail", "-c", script);
    }

    @Test
    void aListThatStartsTorchrunItselfIsLeftAsItIs() {
        assertThat(argv(job().torchrun().exec("torchrun", "train.py"))).containsExactly("torchrun", "train.py");
        assertThat(argv(job().torchrun().exec("python", "-m", "torch.distributed.launch", "train.py")))
                .containsExactly("/env/bin/python", "-m", "torch.distributed.launch", "train.py");
    }

    @Test
    void usersMaySetWhatMusterDoesNot() {
        var reserved = Frameworks.of(FrameworkKind.PYTORCH)
                .reservedEnv(job().torchrun().spec());
        assertThat(reserved)
                .contains("PET_NNODES", "RANK", "MUSTER_*")
                .doesNotContain("PET_REDIRECTS", "PET_TEE", "PET_MONITOR_INTERVAL");
    }

    @Test
    void elasticBoundsCountTheChief() {
        LaunchPlan plan =
                job().role("chief", 1).torchrun().elastic(1, 4).restarts(3).plan();
        Map<String, String> env = Site.FRESH.env(plan.processes().getFirst());
        assertThat(env).containsEntry("PET_NNODES", "2:5").containsEntry("PET_MAX_RESTARTS", "4");
        assertThat(env).containsEntry("PET_RDZV_BACKEND", "c10d").doesNotContainKey("PET_MASTER_ADDR");
    }

    @Test
    void whatItRefuses() {
        assertThat(fields(job().elastic(1, 4))).containsExactly("elastic");
        assertThat(fields(job().torchrun().exec("python"))).containsExactly("command");
        assertThat(fields(job().torchrun().elastic(1, 4).sidecar("rendezvous", 1)))
                .containsExactly("roles.rendezvous");
        assertThat(fields(job().role("chief", 3))).containsExactly("roles.chief.count");
        assertThat(fields(job().role("chief", 1).processesPerWorker(4))).isEmpty();
    }

    @Test
    void groupsOfOtherFrameworksAreNotElastic() {
        for (FrameworkKind kind : FrameworkKind.values()) {
            if (kind != FrameworkKind.PYTORCH && kind != FrameworkKind.HOROVOD && kind != FrameworkKind.JVM) {
                JobSpec spec = Jobs.of(kind).role("worker", 2).elastic(1, 3).spec();
                assertThat(Frameworks.of(kind).check(spec))
                        .extracting(Problem::field)
                        .as("%s", kind)
                        .contains("elastic");
            }
        }
    }

    private static List<String> fields(Jobs job) {
        return Frameworks.of(FrameworkKind.PYTORCH).check(job.spec()).stream()
                .map(Problem::field)
                .toList();
    }
}
