package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.kubernetes.TrainingSeen.Condition;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each condition of the operator means for a member without a pod, and what it adds where there is one. */
class TrainingObservationTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant SOON = MADE.plusSeconds(2);
    private static final Instant LATER = MADE.plusSeconds(60);
    private static final JobId JOB = new JobId("jabc");

    private static TrainingSeen object(boolean deleted, boolean suspended, Condition... conditions) {
        return new TrainingSeen(
                TrainingKind.TFJOB,
                "jabc-a1",
                JOB,
                List.of(new ProcessKey(JOB, new ProcessName("worker", 0), 1)),
                MADE,
                deleted,
                suspended,
                Optional.empty(),
                List.of(conditions));
    }

    private static Condition holds(String type) {
        return new Condition(type, true, "TFJob" + type, "TFJob is " + type);
    }

    private static Seen without(TrainingSeen object, Instant now) {
        return TrainingObservation.withoutPod(object, Optional.empty(), now);
    }

    private static void startsHeld(Seen seen, Cause cause, String words) {
        assertThat(seen).isInstanceOfSatisfying(Seen.Starting.class, starting -> {
            assertThat(starting.hold().map(Hold::cause)).contains(cause);
            assertThat(starting.hold().get().message()).contains(words);
        });
    }

    private static void vanished(Seen seen, Cause cause, String words) {
        assertThat(seen).isInstanceOfSatisfying(Seen.Vanished.class, gone -> {
            assertThat(gone.cause()).isEqualTo(cause);
            assertThat(gone.message()).contains(words);
        });
    }

    @Test
    void whatWasJustMadeOrTakenUpStarts() {
        assertThat(without(object(false, false), SOON)).isEqualTo(new Seen.Starting());
        assertThat(without(object(false, false, holds("Created")), LATER)).isEqualTo(new Seen.Starting());
        assertThat(without(object(false, false, holds("Created"), holds("Running")), LATER))
                .isEqualTo(new Seen.Starting());
    }

    @Test
    void withoutAnOperatorThatIsToldSoon() {
        startsHeld(
                without(object(false, false), LATER),
                Cause.BACKEND_REFUSED,
                "no training operator has taken TFJob jabc-a1");
    }

    @Test
    void b18_whatTheOperatorComplainsOfHoldsTheStart() {
        TrainingSeen object = object(false, false, holds("Created"));
        startsHeld(
                TrainingObservation.withoutPod(object, Optional.of("pods is forbidden: exceeded quota: none"), SOON),
                Cause.UNSCHEDULABLE,
                "exceeded quota");
        startsHeld(
                TrainingObservation.withoutPod(object, Optional.of("admission webhook denied"), SOON),
                Cause.BACKEND_REFUSED,
                "webhook");
        startsHeld(
                TrainingObservation.withoutPod(
                        object, Optional.of("pods is forbidden: no PriorityClass with name high was found"), SOON),
                Cause.BACKEND_REFUSED,
                "kubernetes.priorityClass of the job");
    }

    @Test
    void anObjectThatIsOverWithoutThePodWillNeverHaveIt() {
        vanished(
                without(object(false, false, holds("Failed")), SOON),
                Cause.LAUNCH_FAILED,
                "TFJobFailed: TFJob is Failed");
        vanished(without(object(false, false, holds("Succeeded")), SOON), Cause.LAUNCH_FAILED, "Succeeded");
        assertThat(without(object(false, false, new Condition("Failed", false, "", "")), SOON))
                .isEqualTo(new Seen.Starting());
    }

    @Test
    void whatOthersSuspendOrDeleteIsToldAsTheirs() {
        vanished(without(object(false, true), SOON), Cause.PREEMPTED, "somebody suspended TFJob jabc-a1");
        vanished(without(object(false, false, holds("Suspended")), SOON), Cause.PREEMPTED, "somebody suspended");
        vanished(without(object(true, false), SOON), Cause.KILLED, "somebody deleted TFJob jabc-a1");
    }
}
