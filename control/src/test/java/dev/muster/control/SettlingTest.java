package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.spi.Telemetry.LogFindings;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Settle before judging: the cause is the failure that caused the others, not the one seen first. */
final class SettlingTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void aKilledPeerOutranksItsVictimThoughThatWasSeenFirst() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofMillis(2000)))
                .script(id, "worker-1", 1, FakeProcess.exits(137, Duration.ofMillis(2005)));
        world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RESTARTING);

        assertThat(world.job(id).status().cause()).contains(Cause.KILLED);
        assertThat(world.job(id).status().reason().orElseThrow()).startsWith("Killed: worker-1");
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
    }

    @Test
    void amongEqualsTheEarliestByItsOwnTimeIsTheCause() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(3, Duration.ofMillis(2001)))
                .script(id, "worker-1", 1, FakeProcess.exits(4, Duration.ofMillis(2000)));
        world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        world.clock.advance(Duration.ofSeconds(5)); // both are seen at once
        JobRecord end = world.untilFinal(id);

        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-1 ended with exit code 4");
    }

    @Test
    void b17_oneMemberFailsForGoodAndTheJobIsOverWithinTheGraceTime() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2).grace(Duration.ofSeconds(20)));
        JobRecord end =
                world.until(id, Duration.ofSeconds(23), job -> job.state().isFinal());

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-1 ended with exit code 1");
        Attempt.Exit peer = world.process(id, "worker-0").exit().orElseThrow();
        assertThat(peer.code()).hasValue(137);
        assertThat(peer.cause()).isEmpty();
    }

    /** Rank 1 raises, closes its connections on the way out and leaves a second later; rank 0 fails at once for want of it. */
    @Test
    void b17_whoSaysThatItLostAPeerIsNotTheCauseThoughItEndedFirst() {
        lostPeer("worker-0");
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.exits(4, Duration.ofSeconds(3)));
        world.submit(Spec.workers(3));
        JobRecord end =
                world.until(id, Duration.ofSeconds(4), job -> job.state().isFinal());

        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-1 ended with exit code 4");
    }

    @Test
    void whoLostAPeerIsNamedWhenNobodyElseFailsAndTheNetworkIsBlamed() {
        lostPeer("worker-0");
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(Spec.workers(2));
        world.until(
                id, Duration.ofMillis(3900), job -> job.times().settleUntil().isPresent());
        assertThat(world.process(id, "worker-1").stopAsked()).isEmpty();
        JobRecord end =
                world.until(id, Duration.ofSeconds(3), job -> job.state().isFinal());

        assertThat(end.status().reason().orElseThrow())
                .contains(
                        "connections broke, and no process failed but for that (network?): worker-0 ended with exit code 1");
        assertThat(world.process(id, "worker-1").stopAsked()).isPresent();
    }

    /** TensorFlow ends both ranks itself when a network is cut for longer than it waits for a heartbeat. */
    @Test
    void ranksThatLostNobodyButEachOtherAreTriedAgain() {
        world.telemetry.findings(
                key -> new LogFindings(false, false, true, Set.of(), List.of("stopped sending heartbeats")));
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(3)));
        world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RESTARTING);
        assertThat(world.job(id).status().cause()).contains(Cause.STALLED);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
    }

    @Test
    void whoLostAPeerThatHasLeftByItselfIsAUserError() {
        lostPeer("worker-0");
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.exits(0, Duration.ofMillis(1500)));
        world.submit(Spec.workers(2).restarts(1));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-0 ended with exit code 1");
    }

    @Test
    void aSingleProcessHasLostNoPeerWhateverItSays() {
        lostPeer("worker-0");
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(Spec.workers(1).restarts(1));
        assertThat(world.untilFinal(id).status().cause()).contains(Cause.USER_ERROR);
    }

    private void lostPeer(String process) {
        world.telemetry.findings(key -> key.name().toString().equals(process)
                ? new LogFindings(false, false, true, Set.of(), List.of("Connection closed by peer"))
                : LogFindings.NONE);
    }

    /** A rank below an agent is over the limit: mpirun ends with 137 and says which rank, the agent ends as it is asked to. */
    @Test
    void aLauncherThatTellsOfAKilledRankIsNotTheCauseWhenAMemoryLimitExplainsIt() {
        world.telemetry.findings(key -> key.name().toString().equals("worker-0")
                ? new LogFindings(false, true, false, Set.of(), List.of("mpirun noticed that process rank 3 on node x"))
                : new LogFindings(false, false, false, Set.of(), List.of("waits for the launcher")));
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(137, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.runs().overItsMemory());
        world.submit(Spec.workers(3).restarts(1));
        JobRecord end = world.untilFinal(id);

        assertThat(end.status().cause()).contains(Cause.OUT_OF_MEMORY);
        assertThat(end.status().reason())
                .contains(
                        "OutOfMemory: worker-1 went over its memory limit and a process of it was killed (exit code 143);"
                                + " worker-0: mpirun noticed that process rank 3 on node x");
    }

    @Test
    void whoWasKilledItselfIsTheCauseThoughAPeerGoesOverItsMemoryLimitLater() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(137, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.runs().overItsMemory());
        world.submit(Spec.workers(2));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().reason().orElseThrow()).startsWith("Killed: worker-0");
    }

    @Test
    void b17_aPeerThatMusterKilledIsNotTheCauseThoughItsHostsClockIsCoarse() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2).restarts(1).grace(Duration.ofSeconds(2)));
        world.until(id, Duration.ofMinutes(1), job -> job.times().settleUntil().isPresent());
        world.pass(Duration.ofMillis(1992)); // file times lag by up to a tick behind the clock that ordered the kill
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        JobRecord end = world.untilFinal(id);

        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-1 ended with exit code 1");
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void a25_theFailureOfAnyRankIsJudgedAtOnceWhenItsPeersStopAtOnce() {
        JobId id = world.nextId();
        world.script(id, "worker-2", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(Spec.workers(3));
        JobRecord end =
                world.until(id, Duration.ofMillis(2200), job -> job.state().isFinal());
        assertThat(end.state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void theWindowEndsAfterFiveSecondsThoughAPeerStillSaves() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().onTerm(0, Duration.ofSeconds(12)));
        world.submit(Spec.workers(2));
        world.until(id, Duration.ofSeconds(8), job -> job.state() == JobState.STOPPING);
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
        assertThat(world.process(id, "worker-0").exit().orElseThrow().code()).hasValue(0);
    }

    @Test
    void aProcessThatMusterStoppedIsNoFailure() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(5, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().onTerm(1, Duration.ofMillis(10)));
        world.submit(Spec.workers(2));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().reason().orElseThrow()).contains("worker-1 ended with exit code 5");
        assertThat(world.process(id, "worker-0").exit().orElseThrow().cause()).isEmpty();
    }

    @Test
    void aPeerKilledFromOutsideWhileItIsBeingStoppedOutranks() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2).restarts(1));
        world.until(id, Duration.ofMinutes(1), job -> job.times().settleUntil().isPresent());
        world.pass(Duration.ofSeconds(1));
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        assertThat(world.job(id).status().reason().orElseThrow()).startsWith("Killed: worker-0");
    }

    @Test
    void anEndInsideTheWindowCountsThoughItIsSeenOnlyAfterIt() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2).restarts(1));
        world.until(id, Duration.ofMinutes(1), job -> job.times().settleUntil().isPresent());
        world.clock.advance(Duration.ofSeconds(1));
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        world.clock.advance(Duration.ofSeconds(10)); // nobody looked
        world.until(id, JobState.RESTARTING);
        assertThat(world.job(id).status().reason().orElseThrow()).startsWith("Killed: worker-0");
    }

    @Test
    void anExitZeroAfterTheGroupWasStoppedIsNoSuccess() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)))
                .script(id, "chief-0", 1, FakeProcess.runs().onTerm(0, Duration.ofMillis(10)));
        world.submit(new Spec().role("chief", 1).role("worker", 1).tensorflow());
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-0");
    }
}
