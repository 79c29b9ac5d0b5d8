package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Sighting.Hold;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only the platform below a backend knows: why nothing starts, who ended a process, where its files are. */
final class PlatformTest {
    private static final Hold NO_IMAGE = new Hold(Cause.IMAGE_MISSING, "image nosuch/image:1 cannot be pulled");

    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            names = {"IMAGE_MISSING", "UNSCHEDULABLE", "BACKEND_REFUSED"})
    void b18_whatHoldsAStartIsTheReasonWhileItLasts(Cause cause) {
        JobId id = world.nextId();
        Hold hold = new Hold(cause, "exceeded quota: pods");
        world.script(id, "worker-1", 1, FakeProcess.runs().held(hold, Duration.ofSeconds(40)));
        world.script(
                id,
                "worker-0",
                1,
                FakeProcess.runs().joining(Duration.ofSeconds(60))); // Starting goes on without the hold
        world.submit(Spec.workers(2));
        world.pass(Duration.ofSeconds(20));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        assertThat(world.job(id).status().cause()).contains(cause);
        assertThat(world.job(id).status().reason()).contains(cause.because("exceeded quota: pods"));

        world.pass(Duration.ofSeconds(25));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        assertThat(world.job(id).status().cause()).isEmpty();
        assertThat(world.job(id).status().reason()).isEmpty();
        JobRecord running = world.until(id, JobState.RUNNING);
        assertThat(running.status().reason()).isEmpty();
        assertThat(running.counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));
    }

    @Test
    void theReasonOfARestartStaysWhileNothingHoldsTheNewAttempt() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(137, Duration.ofSeconds(1)));
        world.script(id, "worker-0", 2, FakeProcess.runs().joining(Duration.ofSeconds(30)));
        world.submit(Spec.workers(1).restarts(1));
        world.until(id, JobState.RESTARTING);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        assertThat(world.job(id).status().reason().orElseThrow()).startsWith("Killed: worker-0");
    }

    @Test
    void b19_whatStillHoldsTheStartAtItsDeadlineIsTheCause() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.runs().held(NO_IMAGE, Duration.ofHours(1)));
        world.submit(Spec.workers(2).restarts(3).startDeadline(Duration.ofSeconds(10)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.IMAGE_MISSING);
        assertThat(end.status().reason())
                .contains("ImageMissing: worker-1 (not started) did not join (image nosuch/image:1 cannot be pulled)"
                        + " within startDeadline (10s)");
        assertThat(end.counters().restarts()).isZero();
        assertThat(Duration.between(
                        end.times().admittedAt().orElseThrow(),
                        end.times().finishedAt().orElseThrow()))
                .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_100));
        assertThat(world.backend.holds(id)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            names = {"PREEMPTED", "NODE_LOST"})
    void whatThePlatformEndedIsTriedAgainUncountedWhateverTheCodeSays(Cause cause) {
        JobId id = world.submit(Spec.workers(2).restarts(0));
        world.until(id, JobState.RUNNING);
        world.backend.end(World.key(id, "worker-1", 1), 1, cause);
        JobRecord restarting = world.until(id, JobState.RESTARTING);
        assertThat(restarting.status().cause()).contains(cause);
        assertThat(restarting.status().reason())
                .contains(cause.because("worker-1 was ended by its platform (exit code 1)"));
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(2, 0, 1));

        world.backend.vanish(World.key(id, "worker-0", 2), cause);
        assertThat(world.until(id, JobState.RESTARTING).status().reason())
                .contains(cause.because("worker-0: its supervisor is gone"));
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(3, 0, 2));
    }

    @Test
    void aVanishedProcessOfWhichNothingIsKnownIsCounted() {
        JobId id = world.submit(Spec.workers(1).restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.vanish(World.key(id, "worker-0", 1));
        assertThat(world.until(id, JobState.RESTARTING).status().cause()).contains(Cause.LOST);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(1, 1, 0));
    }

    @Test
    void aProcessThatCouldNeverBeStartedIsNotTriedAgain() {
        JobId id = world.submit(Spec.workers(1).restarts(3));
        world.until(id, JobState.RUNNING);
        world.backend.vanish(World.key(id, "worker-0", 1), Cause.IMAGE_MISSING);
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.IMAGE_MISSING);
        assertThat(end.counters().restarts()).isZero();
    }

    private JobRecord afterLossOfANodeThatShowsLate(Duration window) {
        world.backend.settleWindow(window);
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.otherwise(FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2).grace(Duration.ofSeconds(90)));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(40));
        world.backend.vanish(World.key(id, "worker-1", 1), Cause.NODE_LOST);
        world.pass(Duration.ofSeconds(1));
        return world.job(id);
    }

    @Test
    void exitsAreCollectedAsLongAsTheBackendNeedsToKnowThemAll() {
        JobRecord job = afterLossOfANodeThatShowsLate(Duration.ofSeconds(60));
        assertThat(job.status().cause()).contains(Cause.NODE_LOST);
        assertThat(job.counters()).extracting(JobRecord.Counters::restarts).isEqualTo(0);
        assertThat(world.until(job.id(), JobState.RUNNING).counters().attempt()).isEqualTo(2);
    }

    @Test
    void exitsThatComeAfterTheWindowChangeNothing() {
        JobRecord job = afterLossOfANodeThatShowsLate(Duration.ofSeconds(5));
        assertThat(world.untilFinal(job.id()).status().reason().orElseThrow())
                .startsWith("UserError: worker-0 ended with exit code 1");
    }

    private List<String> order() {
        List<String> order = new ArrayList<>();
        world.backend.before(call -> {
            if (call.op() == Op.COLLECT || call.op() == Op.RELEASE) {
                order.add(call.op().name());
            }
        });
        world.models.before(() -> order.add("publish"));
        return order;
    }

    @Test
    void modelsAreCollectedBeforeOneIsRegistered() {
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.until(id, JobState.RUNNING);
        List<String> order = order();
        world.backend.kill(World.key(id, "worker-0", 1), 0);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(order).containsSubsequence("COLLECT", "publish").containsOnlyOnce("publish");
    }

    @Test
    void aModelThatCannotBeFetchedNowIsWaitedForAndIsNotLost() {
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.until(id, JobState.RUNNING);
        boolean[] cut = {true};
        world.backend.before(call -> {
            if (call.op() == Op.COLLECT && cut[0]) {
                throw new BackendException(Kind.NO_CONTACT, Cause.INTERNAL, "no answer from the API server");
            }
        });
        world.backend.kill(World.key(id, "worker-0", 1), 0);
        world.until(id, JobState.PUBLISHING);
        world.pass(Duration.ofHours(1));
        assertThat(world.job(id).state()).isEqualTo(JobState.PUBLISHING);
        assertThat(world.job(id).status().reason().orElseThrow()).contains("no answer from the API server");
        assertThat(world.models.of(id)).isEmpty();
        cut[0] = false;
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.job(id).status().reason()).isEmpty();
    }

    @Test
    void aModelThatTheBackendCannotGiveFailsTheJobInItsWords() {
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.until(id, JobState.RUNNING);
        world.backend.before(call -> {
            if (call.op() == Op.COLLECT) {
                throw new BackendException(Kind.REFUSED, Cause.MODEL_MISSING, "the volume is gone");
            }
        });
        world.backend.kill(World.key(id, "worker-0", 1), 0);
        assertThat(world.untilFinal(id).status().reason()).contains("ModelMissing: the volume is gone");
    }

    @Test
    void checkpointsAreCollectedBeforeOneIsChosenWithNobodyAlive() {
        JobId id = world.submit(Spec.workers(1).restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.before(call -> {
            if (call.op() == Op.COLLECT) {
                world.checkpoints.save(id, 50);
            }
        });
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        assertThat(world.until(id, JobState.RUNNING).resumeFrom()).contains("/checkpoints/" + id + "/step-50");
    }

    @Test
    void nothingIsCollectedWhilePeersLiveOn() {
        JobId id = world.submit(new Spec()
                .tensorflow()
                .role("chief", 1)
                .role("worker", 1)
                .role("ps", 1)
                .restarts(1));
        world.until(id, JobState.RUNNING);
        List<String> order = order();
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(order).isEmpty();
    }

    @Test
    void whatIsPreparedIsToldAndNoEnvironmentIsBuiltForImagesWithTheirOwnPython() {
        world.backend.ownPython();
        JobId id = world.submit(Spec.workers(1));
        List<String> told = new ArrayList<>();
        world.backend.before(call -> {
            if (call.op() == Op.PREPARE) {
                told.add(world.jobs.get(id).orElseThrow().activity().orElse(""));
            }
        });
        world.until(id, JobState.RUNNING);
        assertThat(told).containsExactly("pulling the image");
        assertThat(world.environments.prepared()).isZero();
    }

    private void preparing(Kind kind, Cause cause, int[] times) {
        world.backend.before(call -> {
            if (call.op() == Op.PREPARE && times[0]-- > 0) {
                throw new BackendException(kind, cause, "image nosuch/image:1 cannot be pulled");
            }
        });
    }

    @Test
    void b19_aPreparationThatIsRefusedFailsTheJob() {
        preparing(Kind.REFUSED, Cause.IMAGE_MISSING, new int[] {1});
        JobRecord end = world.untilFinal(world.submit(Spec.workers(1).restarts(3)));
        assertThat(end.status().reason()).contains("ImageMissing: image nosuch/image:1 cannot be pulled");
        assertThat(end.counters().restarts()).isZero();
        assertThat(world.backend.launches()).isEmpty();
    }

    @Test
    void b19_aPreparationThatFailsIsTriedAgainWithinTheBudget() {
        preparing(Kind.FAILED, Cause.IMAGE_MISSING, new int[] {Integer.MAX_VALUE});
        JobRecord end = world.untilFinal(world.submit(Spec.workers(1).restarts(2)));
        assertThat(end.status().reason().orElseThrow())
                .startsWith("ImageMissing: image nosuch/image:1 cannot be pulled")
                .contains("restart limit reached");
        assertThat(end.counters()).isEqualTo(new JobRecord.Counters(3, 2, 0));
    }

    @Test
    void b80_aPreparationWithoutContactIsTriedAgainUncountedUntilTheStartDeadline() {
        preparing(Kind.NO_CONTACT, Cause.INTERNAL, new int[] {9});
        JobId id = world.submit(Spec.workers(1));
        world.pass(Duration.ofSeconds(15));
        assertThat(world.job(id).state()).isEqualTo(JobState.ADMITTED);
        assertThat(world.until(id, JobState.RUNNING).counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));

        preparing(Kind.NO_CONTACT, Cause.INTERNAL, new int[] {Integer.MAX_VALUE});
        JobId never = world.submit(Spec.workers(1).named("never").startDeadline(Duration.ofSeconds(30)));
        JobRecord end = world.untilFinal(never);
        assertThat(end.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(end.status().reason().orElseThrow())
                .contains("the environment was not ready (")
                .contains("again, for image nosuch/image:1 cannot be pulled");
    }

    @Test
    void b64_theChiefsFolderIsPublishedThoughAnotherProcessComesFirstAndNoOther() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(new Spec()
                .tensorflow()
                .role("ps", 1)
                .role("chief", 1)
                .role("worker", 2)
                .model("digits"));
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.job(id).processes().getFirst().name().role()).isEqualTo("ps");
        assertThat(world.files.modelsAsked).containsExactly(World.key(id, "chief-0", 1));
        assertThat(world.models.of(id).orElseThrow().lineage()).containsEntry("process", "chief-0");
    }
}
