package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.Progress;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.Evidence.Link;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import dev.muster.spi.Telemetry.Signs;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A group that does not go on: when that is a stall, who is named, and what is no stall. */
final class StallTest {
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final World world = new World();
    private final Map<String, Evidence> evidence = new HashMap<>();
    private final List<ProcessKey> looked = new ArrayList<>();

    StallTest() {
        world.backend.evidence(key -> {
            looked.add(key);
            return evidence.getOrDefault(key.name().toString(), Evidence.NONE);
        });
    }

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Evidence doing(char state, double cores, String... stack) {
        return new Evidence(
                List.of(new Doing(100, "python3.11", state, cores, 0, Optional.empty(), List.of(stack))), List.of());
    }

    private static Evidence linked(String local, String remote, long unsent, long unread) {
        return new Evidence(doing('S', 0).processes(), List.of(new Link(local, remote, unsent, unread)));
    }

    private Signs steps(JobId id, long... steps) {
        Map<ProcessKey, Pace> paces = new HashMap<>();
        for (int rank = 0; rank < steps.length; rank++) {
            ProcessKey key = World.key(id, "worker-" + rank, 1);
            Rhythm rhythm = new Rhythm(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2), 20);
            paces.put(key, new Pace(steps[rank], world.clock.now(), OptionalLong.empty(), Optional.of(rhythm)));
        }
        return new Signs(Set.of(), Map.of(), Said.progress(steps[0]), 0, List.of(), paces, Map.of());
    }

    private JobId running(int workers) {
        JobId id = world.submit(Spec.workers(workers).restarts(1).stallTimeout(MINUTE));
        world.until(id, JobState.RUNNING);
        return id;
    }

    private String reason(JobId id) {
        JobRecord job = world.until(id, JobState.RESTARTING);
        assertThat(job.status().cause()).contains(Cause.STALLED);
        return job.status().reason().orElseThrow();
    }

    @Test
    void a25_aRankThatIsStoppedIsNamed() {
        JobId id = running(3);
        evidence.put("worker-0", doing('S', 0));
        evidence.put("worker-1", doing('T', 0));
        evidence.put("worker-2", doing('S', 0.9));
        assertThat(reason(id))
                .isEqualTo("Stalled: no progress for stallTimeout (1m); worker-1 is stopped by a signal (state T)");
        assertThat(looked)
                .containsExactlyInAnyOrder(
                        World.key(id, "worker-0", 1), World.key(id, "worker-1", 1), World.key(id, "worker-2", 1));
    }

    @Test
    void whatTheBackendSaysIsWrongAroundARankIsToldAtOnceAndNamedBeforeAllElse() {
        JobId id = running(2);
        ProcessKey paused = World.key(id, "worker-1", 1);
        evidence.put("worker-0", doing('R', 1));
        world.backend.trouble(paused, Optional.of("its container is paused"));
        world.pass(Duration.ofSeconds(6));
        assertThat(world.jobs.get(id).orElseThrow().going().warning()).contains("worker-1: its container is paused");
        world.backend.trouble(paused, Optional.empty());
        world.pass(Duration.ofSeconds(6));
        assertThat(world.jobs.get(id).orElseThrow().going().warning()).isEmpty();
        assertThat(told(id)).isEqualTo(1);
        world.backend.trouble(paused, Optional.of("its container is paused"));
        assertThat(reason(id)).endsWith("; worker-1: its container is paused");
        assertThat(told(id)).as("once each time").isEqualTo(2);
    }

    private long told(JobId id) {
        return world.events(id).stream()
                .filter(event -> event.reason().equals(Optional.of("its container is paused")))
                .count();
    }

    @Test
    void theOnlyOneThereIsToldWithWhatItDoes() {
        JobId id = running(1);
        evidence.put("worker-0", doing('S', 0, "sleep (/x/lib/python3/wait.py:4)", "save (/jobs/a1/code/train.py:23)"));
        assertThat(reason(id))
                .isEqualTo(
                        "Stalled: no progress for stallTimeout (1m); worker-0 waits in sleep (wait.py:4), called by save (train.py:23)");
    }

    @Test
    void whoIsLeftWhenTheOthersHaveEndedIsNamed() {
        world.script(world.nextId(), "worker-1", 1, FakeProcess.exits(0, Duration.ofSeconds(10)));
        world.script(world.nextId(), "worker-2", 1, FakeProcess.exits(0, Duration.ofSeconds(20)));
        JobId id = running(3);
        evidence.put("worker-0", doing('R', 1, "spin (/jobs/a1/code/train.py:8)"));
        assertThat(reason(id))
                .isEqualTo(
                        "Stalled: no progress for stallTimeout (1m); the others have ended, worker-0 uses 1.0 cores in spin (train.py:8)");
    }

    @Test
    void aRankThatWaitsForADeviceIsNamed() {
        JobId id = running(2);
        evidence.put("worker-0", doing('S', 0));
        evidence.put(
                "worker-1",
                new Evidence(
                        List.of(new Doing(7, "python3", 'D', 0, 0, Optional.of("nfs_wait"), List.of())), List.of()));
        assertThat(reason(id)).endsWith("; worker-1 is waiting for a disk or a device (state D, in nfs_wait)");
    }

    @Test
    void aRankThatIsBehindIsNamedBeforeTheOneThatIsBusy() {
        JobId id = running(3);
        evidence.put("worker-0", doing('R', 1));
        evidence.put("worker-1", doing('S', 0));
        world.telemetry.says(id, steps(id, 57, 41, 57));
        assertThat(reason(id)).endsWith("; worker-1 is at step 41, the others at 57");
    }

    @Test
    void theOnlyOneThatWantsACoreIsNamed() {
        JobId id = running(2);
        evidence.put("worker-0", doing('S', 0.05));
        evidence.put("worker-1", doing('R', 1, "spin (/job/train.py:31)"));
        assertThat(reason(id))
                .endsWith("; worker-1 uses 1.0 cores while the others wait for it; it is in spin (train.py:31)");
    }

    @Test
    void whereAllAreBusyNobodyIsNamedForIt() {
        JobId id = running(2);
        evidence.put("worker-0", doing('R', 1));
        evidence.put("worker-1", doing('R', 1));
        assertThat(reason(id)).isEqualTo("Stalled: no progress for stallTimeout (1m)");
    }

    @Test
    void a46_bytesThatAreNotTakenPointAtTheNetwork() {
        JobId id = running(2);
        evidence.put("worker-0", linked("10.0.0.1:5000", "10.0.0.2:6000", 13 * 1024, 0));
        evidence.put("worker-1", linked("10.0.0.2:6000", "10.0.0.1:5000", 0, 0));
        assertThat(reason(id)).endsWith("; 13 KiB to worker-1 are not taken (network?)");
    }

    @Test
    void aPeerThatDoesNotReadIsToldFromANetworkThatDoesNotCarry() {
        JobId id = running(2);
        evidence.put("worker-0", linked("10.0.0.1:5000", "10.0.0.2:6000", 100, 0));
        evidence.put("worker-1", linked("10.0.0.2:6000", "10.0.0.1:5000", 0, 4096));
        assertThat(reason(id)).endsWith("; 100 bytes to worker-1 are not taken: it does not read");
    }

    @Test
    void aRankThatWaitsElsewhereInTheCodeIsNamed() {
        JobId id = running(3);
        String together = "all_reduce (/usr/lib/python3/dist-packages/torch/c10d.py:9)";
        evidence.put("worker-0", doing('S', 0, together, "step (/worker-0/code/train.py:52)"));
        evidence.put(
                "worker-1",
                doing('S', 0, "barrier (/usr/lib/python3/dist-packages/torch/c10d.py:7)", "main (/job/train.py:41)"));
        evidence.put("worker-2", doing('S', 0, together, "step (/worker-2/code/train.py:52)"));
        assertThat(reason(id))
                .endsWith("; worker-1 waits in barrier (c10d.py:7), called by main (train.py:41), "
                        + "the others wait in all_reduce (c10d.py:9), called by step (train.py:52)");
    }

    private static Evidence waits(String place, double wakes) {
        Evidence linked = linked("10.0.0.1:5000", "10.0.0.2:6000", 0, 0);
        return new Evidence(
                List.of(new Doing(100, "python3.11", 'S', 0.03, wakes, Optional.of(place), List.of())), linked.links());
    }

    @Test
    void whoSleepsByItselfIsNamedWithoutAToolThatReadsItsCalls() {
        JobId id = running(3);
        evidence.put("worker-0", waits("futex_do_wait", 0));
        evidence.put("worker-1", waits("hrtimer_nanosleep", 0));
        evidence.put("worker-2", waits("ep_poll", 0));
        assertThat(reason(id))
                .endsWith("; worker-1 sleeps by itself (in hrtimer_nanosleep), while the others wait for a lock or a"
                        + " socket (in futex_do_wait, ep_poll)");
    }

    @Test
    void whoWaitsForAFileOrAProgramIsNamedToo() {
        JobId id = running(2);
        evidence.put("worker-0", waits("anon_pipe_read", 0));
        evidence.put("worker-1", waits("futex_wait_queue", 0));
        assertThat(reason(id))
                .endsWith("; worker-0 waits for something else than a peer (in anon_pipe_read), while worker-1 waits"
                        + " for a lock or a socket (in futex_wait_queue)");
    }

    @Test
    void whoLooksAgainAndAgainForItsPeersSleepsNotByItself() {
        JobId id = running(2);
        evidence.put("worker-0", waits("hrtimer_nanosleep", 900));
        evidence.put("worker-1", waits("futex_do_wait", 0));
        assertThat(reason(id)).endsWith("; worker-0 and worker-1 wait for each other (connected, nothing to send)");
    }

    @Test
    void aShellOrALauncherAroundARankDoesNotHideIt() {
        JobId id = running(2);
        Doing shell = new Doing(99, "bash", 'S', 0, 0, Optional.of("do_wait"), List.of());
        for (String place : List.of("futex_do_wait", "hrtimer_nanosleep")) {
            Doing rank = waits(place, 0).processes().getFirst();
            evidence.put(
                    place.startsWith("futex") ? "worker-0" : "worker-1", new Evidence(List.of(shell, rank), List.of()));
        }
        assertThat(reason(id)).contains("; worker-1 sleeps by itself (in hrtimer_nanosleep), while worker-0 waits");
    }

    @Test
    void thoseWhoWaitForEachOtherAreNamed() {
        JobId id = running(2);
        evidence.put("worker-0", linked("10.0.0.1:5000", "10.0.0.2:6000", 0, 0));
        evidence.put("worker-1", linked("10.0.0.2:6000", "10.0.0.1:5000", 0, 0));
        assertThat(reason(id)).endsWith("; worker-0 and worker-1 wait for each other (connected, nothing to send)");
    }

    @Test
    void whoHasBeenSilentLongestIsNamedWhereNothingElseIsKnown() {
        JobId id = running(2);
        world.pass(Duration.ofSeconds(20));
        Signs signs = new Signs(
                Set.of(),
                Map.of(
                        World.key(id, "worker-0", 1), world.clock.now(),
                        World.key(id, "worker-1", 1), world.clock.now().minusSeconds(15)),
                Progress.NONE,
                0,
                List.of());
        world.telemetry.says(id, signs);
        assertThat(reason(id)).endsWith("; worker-1 is silent longest, for 1m15s");
    }

    @Test
    void anEvaluationAfterTheLastStepGoesOnAsLongAsItSaysSomething() {
        JobId id = running(1);
        for (int round = 0; round < 10; round++) {
            Map<ProcessKey, Instant> heard = Map.of(World.key(id, "worker-0", 1), world.clock.now());
            world.telemetry.says(id, new Signs(Set.of(), heard, Said.progress(1000), 0, List.of()));
            world.pass(Duration.ofSeconds(20));
        }
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(looked).isEmpty();
        assertThat(reason(id)).as("then it is silent").startsWith("Stalled: no progress for stallTimeout (1m)");
    }

    @Test
    void progressThatComesWhileEvidenceIsGatheredEndsTheStall() {
        JobId id = running(2);
        world.pass(Duration.ofSeconds(59));
        world.clock.advance(Duration.ofSeconds(2));
        world.workWithoutSlow();
        assertThat(world.slow).as("looks that are under way").hasSizeGreaterThanOrEqualTo(2);
        assertThat(looked).isEmpty();
        world.telemetry.says(id, Said.step(8));
        world.pass(Duration.ofSeconds(50));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(reason(id)).startsWith("Stalled: no progress for stallTimeout (1m)");
        assertThat(looked).as("the next stall is looked at anew").hasSize(4);
    }

    @Test
    void aBackendThatDoesNotAnswerHoldsNobodyLongerThanFifteenSeconds() {
        JobId id = running(1);
        world.clock.advance(Duration.ofSeconds(10));
        world.workWithoutSlow();
        world.telemetry.says(id, Said.step(1));
        world.workWithoutSlow();
        for (int second = 0; second < 61; second++) {
            world.clock.advance(Duration.ofSeconds(1));
            world.workWithoutSlow();
        }
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        for (int second = 0; second < 15; second++) {
            world.clock.advance(Duration.ofSeconds(1));
            world.workWithoutSlow();
        }
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        assertThat(looked).isEmpty();
    }

    @Test
    void evidenceThatCannotBeHadIsNone() {
        JobId id = running(1);
        world.backend.before(call -> {
            if (call.op() == Op.EVIDENCE) {
                throw new BackendException(BackendException.Kind.FAILED, Cause.INTERNAL, "gone");
            }
        });
        assertThat(reason(id)).isEqualTo("Stalled: no progress for stallTimeout (1m)");
    }

    @Test
    void aServiceThatWasDeadFindsNoStallAtItsReturn() {
        JobId id = running(2);
        world.pass(Duration.ofSeconds(30));
        world.clock.advance(Duration.ofMinutes(10));
        world.boot();
        world.pass(Duration.ofSeconds(58));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(looked).isEmpty();
        assertThat(reason(id)).startsWith("Stalled");
    }

    @Test
    void aServiceThatWasSuspendedFindsNoStallAtItsReturn() {
        JobId id = running(2);
        world.pass(Duration.ofSeconds(30));
        world.clock.advance(Duration.ofMinutes(10));
        world.pass(Duration.ofSeconds(58));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(looked).isEmpty();
        assertThat(reason(id)).startsWith("Stalled");
    }

    @Test
    void b80_timeWithoutContactIsNobodysStandstill() {
        JobId id = running(2);
        world.backend.before(call -> {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
        });
        world.pass(Duration.ofMinutes(5));
        world.backend.before(call -> {});
        world.until(id, MINUTE, job -> job.status().noContactSince().isEmpty());
        world.pass(Duration.ofSeconds(50));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(reason(id)).startsWith("Stalled");
    }

    @Test
    void aRankThatStandsStillWhileOthersGoOnIsAStall() {
        JobId id = running(2);
        Signs before = steps(id, 10, 10);
        world.telemetry.says(id, before);
        for (long step = 11; step < 75 && world.job(id).state() == JobState.RUNNING; step++) {
            world.pass(Duration.ofSeconds(1));
            Map<ProcessKey, Pace> paces = new HashMap<>(steps(id, step, 10).paces());
            paces.put(World.key(id, "worker-1", 1), before.paces().get(World.key(id, "worker-1", 1)));
            world.telemetry.says(id, new Signs(Set.of(), Map.of(), Said.progress(step), 0, List.of(), paces, Map.of()));
        }
        assertThat(reason(id))
                .startsWith(
                        "Stalled: worker-1 has not gone on for 1m, while others do; worker-1 is at step 10, the others at ");
    }

    @Test
    void aRankThatReportsNowAndThenOnlyIsNone() {
        JobId id = running(2);
        for (long step = 11; step < 200; step++) {
            world.pass(Duration.ofSeconds(1));
            Map<ProcessKey, Pace> paces = new HashMap<>();
            paces.put(
                    World.key(id, "worker-1", 1),
                    new Pace(
                            1,
                            world.clock.now().minusSeconds(step),
                            OptionalLong.empty(),
                            Optional.of(new Rhythm(MINUTE, MINUTE, MINUTE, 3))));
            world.telemetry.says(id, new Signs(Set.of(), Map.of(), Said.progress(step), 0, List.of(), paces, Map.of()));
        }
        assertThat(world.job(id).counters().restarts()).isZero();
    }

    @Test
    void aServiceThatWasSuspendedFindsNoRankSilentAtItsReturn() {
        JobId id = running(2);
        world.telemetry.says(id, steps(id, 20, 10));
        Map<ProcessKey, Pace> paces = steps(id, 20, 10).paces();
        world.clock.advance(Duration.ofMinutes(10));
        for (long step = 21; step < 70; step++) {
            world.telemetry.says(id, new Signs(Set.of(), Map.of(), Said.progress(step), 0, List.of(), paces, Map.of()));
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(world.job(id).counters().restarts()).isZero();
        assertThat(looked).isEmpty();
    }

    @Test
    void autoIsManyTimesWhatIsUsualAndTwiceThatAfterARestart() {
        JobId id = world.submit(Spec.workers(1).restarts(1).stallTimeoutAuto());
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofHours(1));
        assertThat(world.job(id).state()).as("nothing is known of its steps").isEqualTo(JobState.RUNNING);
        world.telemetry.says(id, steps(id, 10));
        world.pass(Duration.ofSeconds(118));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(reason(id))
                .isEqualTo("Stalled: no progress of worker-0 for 2m (stallTimeout: auto; a step was told every 1s)");
        world.until(id, JobState.RUNNING);
        Map<ProcessKey, Pace> paces =
                Map.of(World.key(id, "worker-0", 2), steps(id, 20).paces().get(World.key(id, "worker-0", 1)));
        world.telemetry.says(id, new Signs(Set.of(), Map.of(), Said.progress(20), 0, List.of(), paces, Map.of()));
        world.pass(Duration.ofSeconds(230));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.untilFinal(id).status().cause()).contains(Cause.STALLED);
    }
}
