package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.spi.Sighting;
import dev.muster.spi.Telemetry.LogFindings;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of exit codes, and the rules that come before it. */
final class ExitCodesTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private JobRecord endOf(Spec spec) {
        return world.untilFinal(world.submit(spec));
    }

    @ParameterizedTest
    @CsvSource({
        "1, USER_ERROR, 0", "2, USER_ERROR, 0", "126, LAUNCH_FAILED, 0", "127, LAUNCH_FAILED, 0",
        "130, KILLED, 2", "134, USER_ERROR, 0", "137, KILLED, 2", "139, USER_ERROR, 0",
        "143, KILLED, 2", "255, USER_ERROR, 0"
    })
    void b28_onlyTheDocumentedCodesAreRetried(int code, Cause cause, int restarts) {
        world.otherwise(FakeProcess.exits(code, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).restarts(2));

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(cause);
        assertThat(end.counters().restarts()).isEqualTo(restarts);
        assertThat(end.status().reason().orElseThrow()).startsWith(cause.text() + ": worker-0");
        assertThat(end.processes().getFirst().exit().orElseThrow().code()).hasValue(code);
    }

    /** Nothing can be asked of a program that has not begun, so its container is taken away at once. */
    private static FakeProcess takenAwayBeforeItBegins() {
        return FakeProcess.runs()
                .held(new Sighting.Hold(Cause.LAUNCH_FAILED, "requirements are installed"), Duration.ofHours(1))
                .onTerm(137, Duration.ofMillis(10));
    }

    private void hasNoCauseOfItsOwn(JobRecord job, String process) {
        assertThat(world.process(job.id(), process).exit().orElseThrow().code()).hasValue(137);
        assertThat(world.process(job.id(), process).exit().orElseThrow().cause())
                .isEmpty();
    }

    @Test
    void whoIsEndedByMusterBeforeItBeginsIsNotTheCauseOfItsGroup() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(127, Duration.ofSeconds(2)));
        world.script(id, "worker-1", 1, takenAwayBeforeItBegins());
        JobRecord end = endOf(Spec.workers(2).restarts(2));

        assertThat(end.status().cause()).contains(Cause.LAUNCH_FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("LaunchFailed: worker-0");
        assertThat(end.counters().restarts()).isZero();
        hasNoCauseOfItsOwn(end, "worker-1");
    }

    @Test
    void whoIsEndedAtTheStartDeadlineBeforeItBeginsWasEndedByMuster() {
        world.otherwise(takenAwayBeforeItBegins());
        JobRecord end = endOf(Spec.workers(2).startDeadline(Duration.ofSeconds(8)));

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        hasNoCauseOfItsOwn(end, "worker-0");
        hasNoCauseOfItsOwn(end, "worker-1");
    }

    /** That one was killed before it began, and before Muster asked anybody to end, is no deed of Muster's. */
    @Test
    void whoIsKilledBeforeItBeginsByOthersIsKilled() {
        world.otherwise(takenAwayBeforeItBegins());
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.STARTING);
        world.settle();
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        assertThat(world.untilFinal(id).status().cause()).contains(Cause.KILLED);
    }

    @Test
    void aCrashBySignalIsNamed() {
        world.otherwise(FakeProcess.exits(139, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1));
        assertThat(end.status().reason().orElseThrow())
                .contains("crashed with SIGSEGV")
                .contains("139");
    }

    @Test
    void theReasonEndsWithTheLastLineOfTheLog() {
        world.telemetry.findings(key ->
                new LogFindings(false, false, false, Set.of(), List.of("Traceback", "ValueError: no such file", " ")));
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(2)));
        assertThat(endOf(Spec.workers(1)).status().reason().orElseThrow()).endsWith(": ValueError: no such file");
    }

    /** Also where it was killed in its trouble: nothing is better the next time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 137})
    void noSpaceLeftIsDiskFullAndNotRetried(int code) {
        world.telemetry.findings(key -> new LogFindings(true, false, false, Set.of(), List.of()));
        world.otherwise(FakeProcess.exits(code, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).restarts(3));
        assertThat(end.status().cause()).contains(Cause.DISK_FULL);
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void whatIsShortOfSharedMemoryNamesWhatGivesMoreOfIt() {
        world.telemetry.findings(key -> new LogFindings(
                true,
                false,
                false,
                Set.of(),
                true,
                List.of("dd: error writing '/dev/shm/x': No space left on device")));
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(2)));
        assertThat(endOf(Spec.workers(1)).status().reason().orElseThrow())
                .startsWith("DiskFull: worker-0")
                .endsWith(
                        "'/dev/shm/x': No space left on device (shared memory is used up: the fake has as much as is asked for)");
    }

    @Test
    void aLauncherThatTellsOfAKilledChildCountsAsKilled() {
        world.telemetry.findings(key -> new LogFindings(false, true, false, Set.of(), List.of()));
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).restarts(1));
        assertThat(end.status().cause()).contains(Cause.KILLED);
        assertThat(end.counters().restarts()).isEqualTo(1);
    }

    @Test
    void outOfMemoryIsNotRetriedUnlessARuleSaysSo() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(2)).overItsMemory());
        JobRecord end = endOf(Spec.workers(1).restarts(3));
        assertThat(end.status().cause()).contains(Cause.OUT_OF_MEMORY);
        assertThat(end.counters().restarts()).isZero();

        JobRecord ruled = endOf(Spec.workers(1).named("ruled").restarts(3).rule("KILL", Action.RESTART));
        assertThat(ruled.status().cause()).contains(Cause.OUT_OF_MEMORY);
        assertThat(ruled.counters().restarts()).isEqualTo(3);
    }

    @Test
    void b79_aProcessThatVanishesIsLostAndRetriedAsIfKilled() {
        JobId id = world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.vanish(World.key(id, "worker-1", 1));
        world.until(id, JobState.RESTARTING);
        assertThat(world.process(id, "worker-1").state()).isEqualTo(ProcessState.LOST);
        assertThat(world.job(id).status().cause()).contains(Cause.LOST);
        world.until(id, JobState.RUNNING);

        world.backend.vanish(World.key(id, "worker-0", 2));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).contains("restart limit reached");
    }

    @Test
    void theFirstRuleThatMatchesWins() {
        world.otherwise(FakeProcess.exits(42, Duration.ofSeconds(2)));
        JobRecord retried = endOf(Spec.workers(1).restarts(2).rule(42, Action.RESTART, true, RestartScope.DEFAULT));
        assertThat(retried.counters().restarts()).isEqualTo(2);

        JobRecord failed = endOf(Spec.workers(1)
                .named("other")
                .restarts(2)
                .rule(42, Action.FAIL, true, RestartScope.DEFAULT)
                .rule(42, Action.RESTART, true, RestartScope.DEFAULT));
        assertThat(failed.counters().restarts()).isZero();
    }

    @Test
    void aRuleForAnotherCodeOrSignalDoesNotMatch() {
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(2)));
        JobRecord code = endOf(Spec.workers(1).restarts(2).rule(42, Action.RESTART, true, RestartScope.DEFAULT));
        assertThat(code.counters().restarts()).isZero();
        world.otherwise(FakeProcess.exits(139, Duration.ofSeconds(2)));
        JobRecord signal = endOf(Spec.workers(1).named("signal").restarts(2).rule("KILL", Action.RESTART));
        assertThat(signal.counters().restarts()).isZero();
    }

    @Test
    void aRuleMayForbidWhatTheTableAllows() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).restarts(2).rule("KILL", Action.FAIL));
        assertThat(end.status().cause()).contains(Cause.KILLED);
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void aRuleMaySearchTheLog() {
        world.telemetry.findings(key ->
                new LogFindings(false, false, false, key.attempt() == 1 ? Set.of(0) : Set.of(), List.of("NCCL error")));
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).restarts(5).logRule("NCCL", Action.RESTART));
        assertThat(end.counters().restarts()).isEqualTo(1);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
    }

    @Test
    void aRestartThatIsNotCountedEndsAfterTwentyInARowWithoutProgress() {
        world.otherwise(FakeProcess.exits(42, Duration.ofSeconds(2)));
        JobRecord end = endOf(Spec.workers(1).rule(42, Action.RESTART, false, RestartScope.DEFAULT));
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.counters()).isEqualTo(new JobRecord.Counters(21, 0, 20));
        assertThat(end.status().reason().orElseThrow()).contains("20 restarts in a row without progress");
        assertThat(world.backend.launches()).hasSize(21);
    }
}
