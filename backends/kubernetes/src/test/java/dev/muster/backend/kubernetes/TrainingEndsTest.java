package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.backend.kubernetes.PodSeen.ContainerState;
import dev.muster.backend.kubernetes.TrainingSeen.Condition;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Ends of pods that were brought about through their object, which the watch knows later than the pod. */
class TrainingEndsTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant ENDED = MADE.plusSeconds(40);
    private static final JobId JOB = new JobId("jabc");
    private static final ProcessKey KEY = new ProcessKey(JOB, new ProcessName("worker", 0), 1);
    private static final Seen.Ended KILLED =
            ended(143, Optional.of(Cause.KILLED), Optional.of("somebody deleted its pod jabc-a1-worker-0"));

    private final List<String> asked = new ArrayList<>();
    private Optional<TrainingSeen> object = Optional.of(object(false, false, Optional.empty()));
    private final TrainingEnds ends = new TrainingEnds(name -> {
        asked.add(name);
        return object;
    });

    private static TrainingSeen object(
            boolean deleted, boolean suspended, Optional<String> limit, Condition... conditions) {
        return new TrainingSeen(
                TrainingKind.TFJOB, "jabc-a1", JOB, List.of(KEY), MADE, deleted, suspended, limit, List.of(conditions));
    }

    private static Seen.Ended ended(int code, Optional<Cause> cause, Optional<String> message) {
        return new Seen.Ended(code, false, OptionalLong.empty(), Optional.of(MADE), ENDED, cause, message);
    }

    private static PodSeen pod(Map<String, String> annotations, Optional<Instant> deleted) {
        return new PodSeen(
                "jabc-a1-worker-0",
                "uid",
                KEY,
                annotations,
                "Running",
                Optional.empty(),
                Optional.empty(),
                Optional.of("n1"),
                Optional.of("10.0.0.1"),
                deleted,
                Optional.empty(),
                Optional.empty(),
                new ContainerState.Running(MADE),
                new ContainerState.Running(MADE));
    }

    private Seen judged(Seen seen) throws BackendException {
        return ends.of(pod(Map.of(), Optional.of(ENDED.minusSeconds(1))), seen);
    }

    private static void is(Seen seen, Cause cause, String words) {
        switch (seen) {
            case Seen.Ended ended -> {
                assertThat(ended.cause()).contains(cause);
                assertThat(ended.message().orElse("")).contains(words);
            }
            case Seen.Vanished vanished -> {
                assertThat(vanished.cause()).isEqualTo(cause);
                assertThat(vanished.message()).contains(words);
            }
            case Seen.Starting starting -> throw new AssertionError(starting);
            case Seen.Running running -> throw new AssertionError(running);
        }
    }

    @Test
    void aPodThatGoesWithASuspensionWasPreempted() throws BackendException {
        object = Optional.of(object(false, true, Optional.empty()));
        Seen seen = judged(KILLED);
        is(seen, Cause.PREEMPTED, "somebody suspended TFJob jabc-a1");
        assertThat(((Seen.Ended) seen).code()).isEqualTo(143);
        assertThat(asked).containsExactly("jabc-a1");
        is(
                judged(new Seen.Vanished(Optional.empty(), Cause.KILLED, "it ended with 0")),
                Cause.PREEMPTED,
                "somebody suspended");
    }

    @Test
    void alsoWhereTheSuspensionIsOverAlready() throws BackendException {
        object = Optional.of(
                object(false, false, Optional.empty(), new Condition("Suspended", false, "TFJobResumed", "resumed")));
        is(judged(KILLED), Cause.PREEMPTED, "somebody suspended");
    }

    @Test
    void andWhereTheClockOfItsNodeIsBehind() throws BackendException {
        object = Optional.of(object(false, true, Optional.empty()));
        Seen.Ended terminated = ended(143, Optional.empty(), Optional.empty());
        Optional<Instant> later = Optional.of(ENDED.plusSeconds(1));
        is(ends.of(pod(Map.of(), later), terminated), Cause.PREEMPTED, "somebody suspended");
        assertThat(new TrainingEnds(name -> object).of(pod(Map.of(Labels.STOP, "ask"), later), terminated))
                .isEqualTo(terminated);
        assertThat(new TrainingEnds(name -> object).of(pod(Map.of(), Optional.empty()), terminated))
                .isEqualTo(terminated);
    }

    @Test
    void whoDeletesTheObjectIsToldToHaveDeletedThat() throws BackendException {
        object = Optional.of(object(true, false, Optional.empty()));
        is(judged(KILLED), Cause.KILLED, "somebody deleted TFJob jabc-a1");
        object = Optional.empty();
        is(
                new TrainingEnds(name -> object).of(pod(Map.of(), Optional.of(MADE)), KILLED),
                Cause.KILLED,
                "deleted the operator's object jabc-a1");
    }

    @Test
    void aLimitThatOthersGaveIsToldInTheOperatorsWords() throws BackendException {
        Condition failed = new Condition("Failed", true, "TFJobFailed", "it was active longer than specified deadline");
        object = Optional.of(object(false, false, Optional.of("activeDeadlineSeconds: 5"), failed));
        is(
                judged(KILLED),
                Cause.KILLED,
                "active longer than specified deadline (somebody gave it activeDeadlineSeconds: 5)");
    }

    @Test
    void whatOnlyThePodTellsStays() throws BackendException {
        object = Optional.of(object(
                false,
                false,
                Optional.empty(),
                new Condition("Failed", true, "TFJobFailed", "1 Worker replica failed")));
        assertThat(judged(KILLED)).isEqualTo(KILLED);
        object = Optional.of(object(false, true, Optional.empty()));
        // What was told stays told.
        assertThat(judged(KILLED)).isEqualTo(KILLED);
        assertThat(asked).hasSize(1);
        ends.forget(JOB);
        is(judged(KILLED), Cause.PREEMPTED, "somebody suspended");
    }

    @Test
    void whatAProgramDidIsItsPodsToTell() throws BackendException {
        object = Optional.of(object(false, true, Optional.empty()));
        for (Seen seen : List.of(
                ended(1, Optional.empty(), Optional.empty()),
                ended(0, Optional.empty(), Optional.empty()),
                ended(137, Optional.of(Cause.NODE_LOST), Optional.of("drained")),
                new Seen.Starting())) {
            assertThat(judged(seen)).isEqualTo(seen);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void withoutAnAnswerNothingIsTold() {
        TrainingEnds unheard = new TrainingEnds(name -> {
            throw new BackendException(Kind.NO_CONTACT, Cause.INTERNAL, "away");
        });
        assertThatThrownBy(() -> unheard.of(pod(Map.of(), Optional.of(MADE)), KILLED))
                .isInstanceOf(BackendException.class);
    }
}
