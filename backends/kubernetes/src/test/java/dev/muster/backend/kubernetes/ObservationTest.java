package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.kubernetes.PodSeen.ContainerState;
import dev.muster.backend.kubernetes.PodSeen.ContainerState.Running;
import dev.muster.backend.kubernetes.PodSeen.ContainerState.Terminated;
import dev.muster.backend.kubernetes.PodSeen.ContainerState.Waiting;
import dev.muster.backend.kubernetes.PodSeen.Note;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each state of a pod means: a table. */
class ObservationTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant ENDED = Instant.parse("2026-01-01T00:00:30.250Z");
    private static final String SAID =
            "muster\n2026-01-01 00:00:00.100000000 +0000\n2026-01-01 00:00:30.250000000 +0000\n";
    private static final ContainerState WAITS = new Waiting("PodInitializing", "");
    private static final ContainerState RUNS = new Running(BEGUN);

    private final Map<String, String> annotations = new HashMap<>(Map.of(Labels.ADDRESS, "worker-0.j.ns.svc"));
    private String phase = "Running";
    private Optional<String> reason = Optional.empty();
    private Optional<String> node = Optional.of("n1");
    private Optional<Instant> deleted = Optional.empty();
    private Optional<String> unscheduled = Optional.empty();
    private Optional<Note> disruption = Optional.empty();
    private ContainerState main = RUNS;
    private ContainerState sidecar = RUNS;

    private Seen seen(String... lostNodes) {
        ProcessKey key = new ProcessKey(new JobId("j1"), new ProcessName("worker", 0), 1);
        PodSeen pod = new PodSeen(
                "j1-worker-0-a1",
                "uid",
                key,
                annotations,
                phase,
                reason,
                Optional.empty(),
                node,
                Optional.of("10.0.0.1"),
                deleted,
                unscheduled,
                disruption,
                main,
                sidecar);
        return Observation.of(pod, Set.of(lostNodes), true, NOW);
    }

    private void delivered() {
        annotations.put(Labels.DELIVERED, BEGUN.toString());
    }

    private void told() {
        delivered();
        annotations.put(Labels.TOLD, Labels.TOLD_ALL);
    }

    private static Terminated ended(int code, String reason, String message) {
        return new Terminated(code, reason, message, Optional.of(BEGUN), Optional.of(NOW));
    }

    @Test
    void b18_aPodWithoutANodeIsHeldByWhatTheSchedulerSays() {
        node = Optional.empty();
        main = WAITS;
        unscheduled = Optional.of("Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(seen()).isEqualTo(new Seen.Starting(Optional.of(new Hold(Cause.UNSCHEDULABLE, unscheduled.get()))));
    }

    @Test
    void b19_anImageThatCannotBePulledIsTheHold() {
        main = new Waiting("ImagePullBackOff", "Back-off pulling image \"nosuch/image:1\"");
        assertThat(seen())
                .isEqualTo(new Seen.Starting(Optional.of(new Hold(
                        Cause.IMAGE_MISSING,
                        "ImagePullBackOff: Back-off pulling image \"nosuch/image:1\" (correct environment.image, or name the"
                                + " secret of a private registry: kubernetes.imagePullSecrets)"))));
    }

    @Test
    void b19_anImageNameThatIsNoneIsTheEnd() {
        String said = "Failed to apply default image tag \"Bad Name!!\": couldn't parse image name";
        main = new Waiting("InvalidImageName", said);
        assertThat(seen())
                .isEqualTo(new Seen.Vanished(
                        Optional.empty(),
                        Cause.IMAGE_MISSING,
                        "InvalidImageName: " + said
                                + " (correct environment.image: REGISTRY/NAME:TAG, the name in lower case and"
                                + " without blanks)"));
        annotations.put(Labels.OVER, "IMAGE_MISSING InvalidImageName: it was");
        annotations.put(Labels.STOP, "kill");
        main = ended(137, "ContainerStatusUnknown", "The container could not be located when the pod was terminated");
        assertThat(seen())
                .isEqualTo(new Seen.Vanished(Optional.empty(), Cause.IMAGE_MISSING, "InvalidImageName: it was"));
        annotations.clear();
        main = WAITS;
        sidecar = new Waiting("InvalidImageName", said);
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Vanished.class,
                        end -> assertThat(end.message()).contains("correct MUSTER_KUBERNETES_SIDECAR of the service"));
    }

    @Test
    void thatItsNodeWasLostOutlivesThePodAndTheNodesReturn() {
        delivered();
        annotations.put(Labels.OVER, "NODE_LOST its node n1 does not answer or is gone");
        annotations.put(Labels.STOP, "kill");
        Seen lost = new Seen.Vanished(Optional.of(BEGUN), Cause.NODE_LOST, "its node n1 does not answer or is gone");
        assertThat(seen()).isEqualTo(lost).isEqualTo(seen("n1"));
        main = ended(137, "Error", SAID);
        told();
        assertThat(seen()).isEqualTo(lost);
    }

    @Test
    void aPullThatFailsAndTheWaitForTheNextOneAreOneReason() {
        main = new Waiting("ErrImagePull", "failed to resolve image: not found");
        Seen first = seen();
        main = new Waiting(
                "ImagePullBackOff",
                "Back-off pulling image \"nosuch/image:1\": ErrImagePull: failed to resolve image: not found");
        assertThat(seen()).isEqualTo(first);
    }

    @Test
    void theSidecarsImageIsTheHoldToo() {
        sidecar = new Waiting("ErrImageNeverPull", "no such image");
        main = WAITS;
        assertThat(seen())
                .isEqualTo(new Seen.Starting(Optional.of(new Hold(
                        Cause.IMAGE_MISSING,
                        "ErrImageNeverPull: no such image (it is Muster's own container, not the job's:"
                                + " MUSTER_KUBERNETES_SIDECAR of the service names its image)"))));
    }

    @Test
    void aContainerThatRunsIsStartingUntilCodeAndDataAreThere() {
        assertThat(seen()).isEqualTo(new Seen.Starting());
    }

    @Test
    void aDeliveredOneRunsAtItsAddress() {
        delivered();
        assertThat(seen()).isEqualTo(new Seen.Running(OptionalLong.empty(), "worker-0.j.ns.svc", BEGUN, true));
    }

    @Test
    void anEndIsNotToldBeforeItsLogIsFetched() {
        delivered();
        main = ended(3, "Error", SAID);
        assertThat(seen()).isInstanceOf(Seen.Running.class);
        told();
        assertThat(seen())
                .isEqualTo(new Seen.Ended(3, false, Optional.of(BEGUN.plusMillis(100)), ENDED, Optional.empty()));
    }

    @Test
    void anEndIsToldWhereNobodyIsLeftToTellMore() {
        delivered();
        main = ended(3, "Error", SAID);
        sidecar = ended(137, "Error", "");
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.code()).isEqualTo(3));
    }

    @Test
    void outOfMemoryIsTold() {
        told();
        main = ended(137, "OOMKilled", "");
        assertThat(seen()).isInstanceOfSatisfying(Seen.Ended.class, end -> {
            assertThat(end.outOfMemory()).isTrue();
            assertThat(end.endedAt()).isEqualTo(NOW);
        });
    }

    @Test
    void whyAProgramCouldNotBeRunIsItsMessage() {
        told();
        main = ended(127, "Error", SAID + "there is no program nosuch");
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.message()).contains("there is no program nosuch"));
    }

    @Test
    void b79_whatSomebodyDeletesIsKilledAndAnExitOf0ThereIsNotDone() {
        told();
        annotations.put(Labels.TOLD, Labels.TOLD_WHEN_DELETED);
        deleted = Optional.of(BEGUN.plusSeconds(10));
        main = ended(143, "Error", SAID);
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.cause()).contains(Cause.KILLED));
        main = ended(0, "Completed", SAID);
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Vanished.class, end -> assertThat(end.cause()).isEqualTo(Cause.KILLED));
    }

    @Test
    void a19_aDeletionAfterTheEndChangesNothing() {
        told();
        main = ended(0, "Completed", SAID);
        Seen before = seen();
        deleted = Optional.of(ENDED.plusSeconds(1));
        assertThat(seen()).isEqualTo(before);
    }

    @Test
    void a19_aDeletionInTheSecondOfTheEndChangesNothingThatWasTold() {
        told();
        main = ended(0, "Completed", SAID);
        Seen before = seen();
        deleted = Optional.of(ENDED.truncatedTo(ChronoUnit.SECONDS));
        assertThat(seen()).isEqualTo(before);
    }

    @Test
    void whatMusterItselfEndsHasNoOtherCause() {
        told();
        annotations.put(Labels.STOP, "kill");
        deleted = Optional.of(BEGUN.plusSeconds(10));
        main = ended(137, "Error", SAID);
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.cause()).isEmpty());
    }

    /** Killed with its container while the program was prepared for, or while nothing of it ran yet: it never began, which tells whose deed it was. */
    @Test
    void whatMusterEndsBeforeItsProgramBeganNeverBegan() {
        annotations.put(Labels.STOP, "ask");
        main = ended(137, "Error", "");
        annotations.put(Labels.TOLD, "nothing");
        assertThat(seen()).isEqualTo(new Seen.Ended(137, false, Optional.empty(), NOW, Optional.empty()));
        told();
        main = ended(137, "Error", "muster\n\n2026-01-01 00:00:30.250000000 +0000\n");
        assertThat(seen()).isEqualTo(new Seen.Ended(137, false, Optional.empty(), ENDED, Optional.empty()));
    }

    @Test
    void aContainerThatCannotBeBegunIsAFailedLaunchWhateverMusterAsks() {
        annotations.put(Labels.STOP, "ask");
        annotations.put(Labels.TOLD, "nothing");
        main = ended(128, "StartError", "no such file");
        assertThat(seen())
                .isEqualTo(new Seen.Vanished(Optional.empty(), Cause.LAUNCH_FAILED, "StartError: no such file"));
    }

    @Test
    void anAttemptEndedBeforeItHadANodeIsKilled() {
        node = Optional.empty();
        main = WAITS;
        deleted = Optional.of(NOW);
        annotations.put(Labels.STOP, "kill");
        assertThat(seen()).isEqualTo(new Seen.Ended(137, false, Optional.empty(), NOW, Optional.empty()));
    }

    @Test
    void preemptionEvictionAndLostNodesAreTold() {
        told();
        main = ended(143, "Error", SAID);
        Map<String, Cause> causes = Map.of(
                "PreemptionByScheduler", Cause.PREEMPTED,
                "EvictionByEvictionAPI", Cause.PREEMPTED,
                "TerminationByKubelet", Cause.PREEMPTED,
                "DeletionByTaintManager", Cause.NODE_LOST,
                "DeletionByPodGC", Cause.NODE_LOST);
        causes.forEach((why, cause) -> {
            disruption = Optional.of(new Note(why, "words"));
            assertThat(seen())
                    .isInstanceOfSatisfying(
                            Seen.Ended.class, end -> assertThat(end.cause()).contains(cause));
        });
    }

    @Test
    void aPodThatTheKubeletTurnsAwayIsNotCounted() {
        phase = "Failed";
        reason = Optional.of("OutOfcpu");
        main = WAITS;
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Vanished.class, end -> assertThat(end.cause()).isEqualTo(Cause.PREEMPTED));
    }

    @Test
    void aLostNodeIsTheCauseOfWhatRanThere() {
        delivered();
        assertThat(seen("n1")).isInstanceOfSatisfying(Seen.Vanished.class, end -> {
            assertThat(end.cause()).isEqualTo(Cause.NODE_LOST);
            assertThat(end.message()).contains("n1");
        });
        assertThat(seen("n2")).isInstanceOf(Seen.Running.class);
    }

    @Test
    void anEndThatIsKnownOutlivesItsNode() {
        told();
        main = ended(0, "Completed", SAID);
        assertThat(seen("n1"))
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.code()).isZero());
    }

    @Test
    void aContainerThatCouldNotBeStartedNeverRan() {
        main = ended(128, "StartError", "exec format error");
        sidecar = ended(0, "Completed", "");
        assertThat(seen()).isInstanceOfSatisfying(Seen.Vanished.class, end -> {
            assertThat(end.cause()).isEqualTo(Cause.LAUNCH_FAILED);
            assertThat(end.message()).contains("exec format error");
        });
    }

    @Test
    void anEndNobodySawIsLost() {
        delivered();
        phase = "Failed";
        main = ended(137, "ContainerStatusUnknown", "");
        sidecar = ended(137, "ContainerStatusUnknown", "");
        assertThat(seen())
                .isInstanceOfSatisfying(
                        Seen.Vanished.class, end -> assertThat(end.cause()).isEqualTo(Cause.LOST));
    }
}
