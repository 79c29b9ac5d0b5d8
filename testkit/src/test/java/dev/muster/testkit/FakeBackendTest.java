package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.BackendKind;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of {@link BackendTck}, by the names they have there, that say nothing of what a program is given, says or writes: the backend of the simulation runs
 * none. In virtual time.
 */
class FakeBackendTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final FakeClock clock = new FakeClock();
    private final FakeBackend backend = new FakeBackend(clock);

    private static TrialJob job(String id) {
        return TrialJob.script(new JobId(id), BackendKind.LOCAL, "");
    }

    private Placement start(TrialJob job) throws BackendException {
        Placement placement = place(job);
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
        }
        return placement;
    }

    private Placement place(TrialJob job) throws BackendException {
        backend.prepare(job.id(), job.spec(), job.origin(), line -> {});
        return backend.place(job.id(), 1, job.spec(), job.plan());
    }

    private Optional<Seen> seen(ProcessKey key) throws BackendException {
        return backend.observe(key.job()).stream()
                .filter(sighting -> sighting.key().equals(key))
                .map(Sighting::state)
                .findFirst();
    }

    private Seen.Ended ended(ProcessKey key) throws BackendException {
        return (Seen.Ended) seen(key).orElseThrow();
    }

    private Seen.Running running(ProcessKey key) throws BackendException {
        return (Seen.Running) seen(key).orElseThrow();
    }

    @AfterEach
    void nothingWasDoneThatNoBackendShouldBear() {
        assertThat(backend.violations()).isEmpty();
    }

    @Test
    void anAttemptThatWasNeverStartedHasNoSighting() throws Exception {
        TrialJob job = job("never");
        assertThat(backend.observe(job.id())).isEmpty();
        place(job);
        assertThat(backend.observe(job.id())).isEmpty();
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        assertThat(backend.observe(job.id())).isEmpty();
    }

    @Test
    void a45_membersComeAndGoWhileTheOthersKeepTheirPlaces() throws Exception {
        TrialJob two = job("t11").withWorkers(2).withElastic(1, 3).withPorts("a");
        TrialJob three = two.withWorkers(3);
        Placement ofTwo = start(two);
        Placement ofThree = backend.place(three.id(), 1, three.spec(), three.plan());
        assertThat(ofTwo.isPartOf(ofThree)).isTrue();
        assertThat(ofThree.hosts()).hasSize(3);
        assertThat(backend.place(three.id(), 1, three.spec(), three.plan())).isEqualTo(ofThree);
        backend.start(three.launch(2, 1, ofThree, "/"));
        backend.stop(three.key(2, 1), StopHow.KILL);
        assertThat(backend.place(two.id(), 1, two.spec(), two.plan())).isEqualTo(ofTwo);
        assertThat(backend.place(three.id(), 1, three.spec(), three.plan().of(name -> name.index() != 1))
                        .hosts())
                .containsKey(new Member("worker", 0))
                .doesNotContainKey(new Member("worker", 1))
                .containsKey(new Member("worker", 2));
    }

    @Test
    void a12_anAttemptIsStartedOnceHoweverOftenItIsAsked() throws Exception {
        TrialJob job = job("once");
        Placement placement = start(job);
        backend.start(job.launch(0, 1, placement, "/"));
        clock.advance(LONG);
        int pid = pid(running(job.key(0, 1)));
        backend.serviceDied();
        backend.start(job.launch(0, 1, placement, "/"));
        assertThat(pid(running(job.key(0, 1)))).isEqualTo(pid);
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(137);
        backend.start(job.launch(0, 1, placement, "/"));
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(backend.launches()).hasSize(1);
    }

    private static int pid(Seen.Running running) {
        return (int) running.pid().orElseThrow();
    }

    @Test
    void a12_aNewServiceSeesWhatRunsAndHowItEnds() throws Exception {
        backend.script(key -> FakeProcess.exits(3, LONG));
        TrialJob job = job("adopted");
        start(job);
        clock.advance(Duration.ofSeconds(1));
        Seen.Running before = running(job.key(0, 1));
        backend.serviceDied();
        assertThat(running(job.key(0, 1))).isEqualTo(before);
        clock.advance(LONG);
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(3);
    }

    @Test
    void a14_anEndWhileNoServiceLivedIsSeenLater() throws Exception {
        backend.script(key -> FakeProcess.exits(139, Duration.ofSeconds(2)));
        TrialJob job = job("orphan");
        start(job);
        backend.serviceDied();
        clock.advance(LONG);
        Seen.Ended end = ended(job.key(0, 1));
        assertThat(end.code()).isEqualTo(139);
        assertThat(end.endedAt()).isEqualTo(end.startedAt().orElseThrow().plusSeconds(2));
    }

    @Test
    void a16_aNeighbourLivesOn() throws Exception {
        TrialJob job = job("pair").withWorkers(2);
        TrialJob neighbour = job("neighbour");
        start(job);
        start(neighbour);
        clock.advance(LONG);
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(137);
        running(job.key(1, 1));
        running(neighbour.key(0, 1));
    }

    @Test
    void a19_anEndThatWasSeenIsNotChangedByAnybodysCleaningUp() throws Exception {
        backend.script(key -> FakeProcess.exits(3, Duration.ofSeconds(1)));
        TrialJob job = job("over");
        start(job);
        clock.advance(LONG);
        Seen.Ended end = ended(job.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        backend.kill(job.key(0, 1), 137);
        clock.advance(LONG);
        assertThat(ended(job.key(0, 1))).isEqualTo(end);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 42, 126, 127, 130, 139, 143, 255})
    void b28_anExitCodeIsToldAsItIs(int code) throws Exception {
        backend.script(key -> FakeProcess.exits(code, Duration.ofSeconds(1)));
        TrialJob job = job("code");
        start(job);
        clock.advance(LONG);
        Seen.Ended end = ended(job.key(0, 1));
        assertThat(end.code()).isEqualTo(code);
        assertThat(end.outOfMemory()).isFalse();
        assertThat(end.endedAt()).isAfterOrEqualTo(end.startedAt().orElseThrow());
    }

    @Test
    void outOfMemoryIsToldFromAKillAndHarmsNoNeighbour() throws Exception {
        TrialJob job = job("memory").withWorkers(2);
        backend.script(key -> key.equals(job.key(0, 1))
                ? FakeProcess.exits(137, Duration.ofSeconds(1)).overItsMemory()
                : FakeProcess.runs());
        start(job);
        clock.advance(LONG);
        assertThat(ended(job.key(0, 1)).outOfMemory()).isTrue();
        running(job.key(1, 1));
        backend.stop(job.key(1, 1), StopHow.KILL);
        assertThat(ended(job.key(1, 1)).outOfMemory()).isFalse();
    }

    @Test
    void a48_askedToEndAProcessMaySave() throws Exception {
        backend.script(key -> FakeProcess.runs().onTerm(7, Duration.ofSeconds(2)));
        TrialJob job = job("saves");
        start(job);
        clock.advance(LONG);
        backend.stop(job.key(0, 1), StopHow.ASK);
        running(job.key(0, 1));
        clock.advance(Duration.ofSeconds(2));
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(7);
    }

    @Test
    void b47_whatIgnoresTheRequestLivesUntilItIsKilled() throws Exception {
        backend.script(key -> FakeProcess.runs().ignoringTerm());
        TrialJob job = job("deaf");
        start(job);
        clock.advance(LONG);
        backend.stop(job.key(0, 1), StopHow.ASK);
        clock.advance(LONG);
        running(job.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(137);
    }

    @Test
    void anAskedEndBeforeTheProgramRunsIsNotLost() throws Exception {
        TrialJob job = job("early").withWorkers(3);
        Placement placement = place(job);
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
            backend.stop(job.key(index, 1), StopHow.KILL);
        }
        clock.advance(LONG);
        for (int index = 0; index < job.workers(); index++) {
            assertThat(ended(job.key(index, 1)).code()).isEqualTo(137);
        }
        assertThat(backend.alive(job.id())).isEmpty();
    }

    @Test
    void b80_lostContactHarmsNothing() throws Exception {
        backend.script(key -> FakeProcess.exits(3, LONG));
        TrialJob job = job("contact");
        start(job);
        clock.advance(Duration.ofSeconds(1));
        Seen.Running before = running(job.key(0, 1));
        backend.before(call -> {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "away");
        });
        assertThatThrownBy(() -> backend.observe(job.id()))
                .isInstanceOfSatisfying(
                        BackendException.class,
                        lost -> assertThat(lost.kind()).isEqualTo(BackendException.Kind.NO_CONTACT));
        backend.before(call -> {});
        assertThat(running(job.key(0, 1))).isEqualTo(before);
        clock.advance(LONG);
        assertThat(ended(job.key(0, 1)).code()).isEqualTo(3);
    }

    @Test
    void aChangeIsToldSoon() throws Exception {
        List<JobId> told = new ArrayList<>();
        backend.listen(told::add);
        backend.script(key -> FakeProcess.exits(0, LONG));
        TrialJob job = job("news");
        start(job);
        clock.advance(Duration.ofSeconds(1));
        backend.tick();
        assertThat(told).containsExactly(job.id());
        backend.tick();
        assertThat(told).hasSize(1);
        clock.advance(LONG);
        backend.tick();
        assertThat(told).hasSize(2);
    }
}
