package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Join;
import dev.muster.model.Problem;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartScope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers of Horovod that come and go. */
class ElasticHorovodTest {
    private static final ProcessName DRIVER = new ProcessName("rendezvous", 0);

    private static Jobs job(int workers) {
        return Jobs.of(FrameworkKind.HOROVOD).role("worker", workers).elastic(1, 4);
    }

    @Test
    void a45_theyMeetAtADriverThatOutlivesAnyOfThem() {
        ProcessPlan worker = job(2).plan().processes().getFirst();
        ProcessPlan driver = job(2).plan().process(DRIVER).orElseThrow();
        assertThat(worker.after()).containsExactly(DRIVER);
        assertThat(worker.join()).isEqualTo(new Join.Connected(DRIVER.member(), "members"));
        assertThat(driver.ports()).containsExactly("rendezvous", "members");
        assertThat(driver.essential()).isTrue();
        assertThat(Site.FRESH.argv(driver)).endsWith("1", "4", "660");
        assertThat(Site.FRESH.argv(worker))
                .startsWith("/env/bin/python", ".muster/member.py")
                .endsWith("/env/bin/python", "train.py", "--epochs", "2");
    }

    @Test
    void a45_whatAWorkerIsToldDoesNotDependOnHowManyThereAre() {
        assertThat(job(4).plan().processes()).containsAll(job(2).plan().processes());
        Map<String, String> env = Site.FRESH.env(job(2).plan().processes().getFirst());
        assertThat(env)
                .containsEntry("HOROVOD_ELASTIC", "1")
                .containsEntry("HOROVOD_GLOO_TIMEOUT_SECONDS", "30")
                .doesNotContainKeys("HOROVOD_RANK", "HOROVOD_SIZE");
        assertThat(env.get("HOROVOD_HOSTNAME")).startsWith("worker-0-a");
    }

    @Test
    void theOthersGoOn() {
        assertThat(Frameworks.of(FrameworkKind.HOROVOD).restartScope(job(2).spec()))
                .isEqualTo(RestartScope.PROCESS);
    }

    @Test
    void aWorkerIsOneProcess() {
        List<Problem> problems = Frameworks.of(FrameworkKind.HOROVOD)
                .check(job(2).processesPerWorker(2).spec());
        assertThat(problems).extracting(Problem::field).containsExactly("processesPerWorker");
        assertThat(Frameworks.of(FrameworkKind.HOROVOD).check(job(2).spec())).isEmpty();
    }
}
