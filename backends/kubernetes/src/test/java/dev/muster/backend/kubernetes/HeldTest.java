package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.kubernetes.PodSeen.ContainerState.Running;
import dev.muster.backend.kubernetes.PodSeen.ContainerState.Terminated;
import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A pod that was made for one who is held ready, before and after it became an attempt. */
class HeldTest {
    private static final JobId JOB = new JobId("j1");
    private static final ProcessKey BEFORE = new ProcessKey(JOB, new ProcessName("standby", 1), 3);
    private static final ProcessKey NOW = new ProcessKey(JOB, new ProcessName("worker", 0), 2);
    private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00.250Z");
    private static final Instant TAKEN = Instant.parse("2026-01-01T00:10:00.123456789Z");
    private static final Held HELD = new Held(BEFORE, STARTED, TAKEN);

    private static PodSeen pod(ProcessKey key, PodSeen.ContainerState main, Map<String, String> more) {
        Map<String, String> annotations = new HashMap<>(Map.of(
                Labels.READY, "true", Labels.DELIVERED, STARTED.toString(), Labels.ADDRESS, "standby-1.j1.ns.svc"));
        annotations.putAll(more);
        return new PodSeen(
                "j1-standby-1-a3",
                "uid",
                key,
                annotations,
                "Running",
                Optional.empty(),
                Optional.empty(),
                Optional.of("n1"),
                Optional.of("10.0.0.1"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                main,
                new Running(STARTED));
    }

    private static PodSeen taken(Map<String, String> more) {
        Map<String, String> identity = new HashMap<>(Map.of(
                Labels.WAS,
                HELD.text(),
                Labels.DELIVERED,
                TAKEN.toString(),
                Labels.JOIN,
                "listens 4E20",
                Labels.CHIEF,
                "true"));
        identity.putAll(more);
        return pod(NOW, new Running(STARTED), identity);
    }

    @Test
    void whatItWasIsReadFromThePod() {
        assertThat(taken(Map.of()).was()).contains(HELD);
        assertThat(pod(BEFORE, new Running(STARTED), Map.of()).was()).isEmpty();
        for (String foreign : List.of("", "standby-1 3", "standby-1 x " + STARTED + " " + TAKEN, "standby-1 3 a b")) {
            assertThat(Held.parse(JOB, foreign)).isEmpty();
        }
    }

    @Test
    void byClocksThatDifferItDoesNotEndBeforeItBegan() {
        assertThat(new Held(BEFORE, TAKEN, STARTED).startedAt()).isEqualTo(STARTED);
    }

    @Test
    void itHasEndedWithZeroOnceItsLogIsFetched() {
        assertThat(Observation.of(HELD, taken(Map.of()))).isInstanceOf(Seen.Running.class);
        assertThat(Observation.of(HELD, taken(Map.of(Labels.WAS_TOLD, "all"))))
                .isEqualTo(new Seen.Ended(0, false, Optional.of(STARTED), TAKEN, Optional.empty()));
    }

    @Test
    void theAttemptWasStartedWhenItWasTakenWhateverTheShimSays() {
        Terminated over = new Terminated(
                3,
                "Error",
                "muster\n2026-01-01 00:00:00.100000000 +0000\n2026-01-01 00:20:00.000000000 +0000\n",
                Optional.of(STARTED),
                Optional.empty());
        Map<String, String> identity = new HashMap<>(taken(Map.of()).annotations());
        identity.put(Labels.TOLD, Labels.TOLD_ALL);
        assertThat(Observation.of(pod(NOW, over, identity), Set.of(), true, TAKEN))
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.startedAt()).contains(TAKEN));
    }

    @Test
    void asWhatItWasItIsHeldReadyAndNobodysChief() {
        PodSeen before = taken(Map.of()).asBefore(HELD);
        assertThat(before.key()).isEqualTo(BEFORE);
        assertThat(before.isHeldReady()).isTrue();
        assertThat(before.has(Labels.JOIN) || before.has(Labels.CHIEF)).isFalse();
        assertThat(taken(Map.of()).isHeldReady()).isFalse();
    }

    @Test
    void whatTheWatchToldBeforeDoesNotMakeItAgainWhatItWas() {
        PodSeen old = pod(BEFORE, new Running(STARTED), Map.of());
        assertThat(PodWatch.newer(taken(Map.of()), old).key()).isEqualTo(NOW);
        assertThat(PodWatch.newer(old, taken(Map.of())).key()).isEqualTo(NOW);
    }

    @Test
    void itsVariablesAreThoseOfItsContainerThenThePlansAndItsPythonComesFirst() {
        Map<String, String> container =
                ReadyProcess.variables("/muster/python/p1\0PATH=/usr/bin\0LANG=C\0SHLVL=1\0WORD=image\0EMPTY=\0");
        Rendered rendered =
                ReadyProcess.with(container, new Rendered(List.of("python3"), Map.of("WORD", "plan"), Map.of()));
        assertThat(rendered.env())
                .isEqualTo(Map.of(
                        "PATH",
                        "/muster/python/p1/bin:/usr/bin",
                        "VIRTUAL_ENV",
                        "/muster/python/p1",
                        "LANG",
                        "C",
                        "WORD",
                        "plan",
                        "EMPTY",
                        ""));
        assertThat(ReadyProcess.variables("\0PATH=/usr/bin\0")).isEqualTo(Map.of("PATH", "/usr/bin"));
    }

    @Test
    void theNamesOfAMemberAreNamesOfServices() {
        JobId longest = new JobId("j" + "1".repeat(30));
        Member member = new Member("m".repeat(40), 12);
        assertThat(Names.service(longest, member))
                .hasSizeLessThanOrEqualTo(Names.LONGEST)
                .matches("[a-z]([-a-z0-9]*[a-z0-9])?")
                .isNotEqualTo(Names.service(longest, new Member("m".repeat(40), 13)));
        ProcessKey key = new ProcessKey(longest, new ProcessName("m".repeat(40), 12), 7);
        assertThat(Names.fence(key)).hasSizeLessThanOrEqualTo(Names.LONGEST).isNotEqualTo(Names.pod(key));
    }
}
