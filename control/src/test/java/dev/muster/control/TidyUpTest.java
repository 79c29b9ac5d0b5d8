package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.spi.BackendException;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept, what goes, and what nobody knows. */
final class TidyUpTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void a19_objectsOfAnEndedJobGoAfterKeepProcesses() throws BackendException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId atOnce = world.submit(Spec.workers(1).named("at-once"));
        JobId later = world.submit(Spec.workers(1).named("later").keepProcesses(Duration.ofMinutes(10)));
        world.untilFinal(atOnce);
        world.untilFinal(later);
        world.settle();
        assertThat(world.backend.jobs()).containsExactly(later);
        world.pass(Duration.ofMinutes(9));
        assertThat(world.backend.jobs()).containsExactly(later);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.backend.jobs()).isEmpty();
    }

    @Test
    void objectsThatANewServiceFindsOfAnEndedJobGoToo() throws BackendException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepProcesses(Duration.ofMinutes(10)));
        world.untilFinal(id);
        world.boot();
        world.clock.advance(Duration.ofMinutes(11));
        world.boot();
        world.settle();
        assertThat(world.backend.jobs()).isEmpty();
    }

    @Test
    void a19_orphansAreEndedAndRemoved() throws BackendException {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        World other = new World(world.backend, world.clock);
        other.settle();
        assertThat(world.backend.jobs()).isEmpty();
    }

    @Test
    void deleteRemovesAnEndedJobWholly() throws BackendException, IOException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepProcesses(Duration.ofHours(1)));
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.Refused("it has not ended: Queued"));
        world.untilFinal(id);
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.jobs.get(id)).isEqualTo(Optional.empty());
        assertThat(world.backend.jobs()).isEmpty();
        assertThat(world.files.removed).containsExactly(id);
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.NotFound());
    }

    @Test
    void logsAndRecordsOfAnEndedJobGoAfterTheirTime() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepLogs(Duration.ofHours(3)).keepRecords(Duration.ofHours(6)));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.untilFinal(id);
        world.pass(Duration.ofMinutes(170));
        assertThat(world.files.withoutLogs).isEmpty();
        world.pass(Duration.ofMinutes(80));
        assertThat(world.files.withoutLogs).containsExactly(id);
        assertThat(world.jobs.get(id)).isPresent();
        world.pass(Duration.ofHours(3));
        assertThat(world.jobs.get(id)).isEmpty();
        assertThat(world.files.removed).containsExactly(id);
        assertThat(world.jobs.get(other)).isPresent();
    }

    @Test
    void b52_aNameIsFreeAsSoonAsItsJobIsDeleted() throws BackendException, IOException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        for (int round = 0; round < 20; round++) {
            JobId id = world.submit(Spec.workers(1).named("x"));
            world.until(id, Duration.ofSeconds(3), job -> job.state() == JobState.SUCCEEDED);
            world.jobs.delete(id);
        }
    }

    @Test
    void b24_whatAnEndedProcessLeftBehindIsSwept() {
        int[] sweeps = {0};
        world.backend.before(call -> sweeps[0] += call.op() == Op.SWEEP ? 1 : 0);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        world.untilFinal(world.submit(Spec.workers(2)));
        assertThat(sweeps[0]).isEqualTo(2);
    }
}
