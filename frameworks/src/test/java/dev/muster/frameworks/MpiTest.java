package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MpiTest {
    private static Jobs job() {
        return Jobs.of(FrameworkKind.MPI).role("worker", 2).processesPerWorker(2);
    }

    private static ProcessPlan process(LaunchPlan plan, String role, int index) {
        return plan.process(new ProcessName(role, index)).orElseThrow();
    }

    @Test
    void b08_aLineAHostWithItsSlotsAndANewlineAtTheEnd() {
        ProcessPlan launcher = process(job().plan(), "launcher", 0);
        assertThat(Site.FRESH.text(launcher.files().get(".muster/hostfile")))
                .contains("worker-0 slots=2\nworker-1 slots=2\n");
        assertThat(Site.FRESH.text(launcher.files().get(".muster/agents")))
                .contains("worker-0 worker-0.host:agent\nworker-1 worker-1.host:agent\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mpirun -np 5 python train.py",
                "cd x && mpiexec --oversubscribe -n 5 ./a.out",
                "/opt/bin/mpirun --np 5 x"
            })
    void b08_moreProcessesThanSlotsAreRefusedAtSubmission(String command) {
        assertThat(problems(job().shell(command).spec())).containsExactly("command");
        assertThat(problems(job().exec(command.split(" ")).spec())).hasSize(command.startsWith("cd") ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mpirun -np 4 python train.py",
                "mpirun python train.py",
                "mpirun python train.py -n 9",
                "python train.py -np 9"
            })
    void whatFitsOrIsTheProgramsOwnIsNot(String command) {
        assertThat(problems(job().exec(command.split(" ")).spec())).isEmpty();
    }

    private static List<String> problems(JobSpec spec) {
        return Frameworks.of(FrameworkKind.MPI).check(spec).stream()
                .map(problem -> problem.field())
                .toList();
    }

    @Test
    void b11_theLauncherIsStartedOnceEveryAgentListens() {
        LaunchPlan plan = job().plan();
        assertThat(process(plan, "launcher", 0).after())
                .containsExactly(new ProcessName("worker", 0), new ProcessName("worker", 1));
        assertThat(process(plan, "worker", 1).after()).isEmpty();
    }

    @Test
    void daemonsStayBelowTheAgentsAndAreStartedAllAtOnce() {
        ProcessPlan launcher =
                process(job().role("worker", 200).processesPerWorker(1).plan(), "launcher", 0);
        assertThat(Site.FRESH.env(launcher))
                .containsEntry("OMPI_MCA_orte_leave_session_attached", "1")
                .containsEntry("OMPI_MCA_plm_rsh_num_concurrent", "200")
                .containsEntry("PRTE_MCA_plm_ssh_num_concurrent", "200");
    }

    @Test
    void theLaunchersResultIsTheJobsAndAFailureRestartsTheGroup() {
        assertThat(Frameworks.of(FrameworkKind.MPI).success(job().spec()))
                .isEqualTo(new SuccessPolicy.OfRole("launcher"));
        assertThat(Frameworks.of(FrameworkKind.MPI).restartScope(job().spec())).isEqualTo(RestartScope.GROUP);
    }

    @Test
    void aLauncherThatIsWrittenIsTheLauncher() {
        assertThat(job().role("launcher", 1).plan().processes())
                .extracting(plan -> plan.name().toString())
                .containsExactly("launcher-0", "worker-0", "worker-1");
    }
}
