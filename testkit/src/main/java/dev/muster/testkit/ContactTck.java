package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The part of {@link BackendTck} about what happens behind the service's back: it dies and comes again, it loses the platform, somebody else
 * removes what it made.
 */
public abstract class ContactTck extends BackendTrial {
    /** System property: for how many seconds contact is lost; a run that shows B80 as it is written sets 90. */
    public static final String OUTAGE_SECONDS = "muster.tck.outage";

    /** The way between a service and its platform. */
    public interface Outage {
        /** Nothing answers from now on, also not on connections that are open. */
        void begin() throws Exception;

        /** All is as before. */
        void end() throws Exception;
    }

    /** What cuts the service off from its platform; empty for a backend that has none to be cut off from. */
    protected abstract Optional<Outage> outage();

    /** Ends and removes what stands for the attempt, as another user of the platform does by force, behind the service's back. */
    protected abstract void removeByForce(ProcessKey key) throws Exception;

    @Test
    void anAttemptThatWasNeverStartedHasNoSighting() throws Exception {
        TrialJob job = job("exit 0");
        assertThat(backend.observe(job.id())).isEmpty();
        place(job);
        assertThat(backend.observe(job.id())).isEmpty();
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        assertThat(backend.observe(job.id())).isEmpty();
    }

    @Test
    void a12_anAttemptIsStartedOnceHoweverOftenItIsAsked() throws Exception {
        TrialJob job = job("echo started; sleep 600");
        Placement placement = start(job);
        backend.start(job.launch(0, 1, placement, "/"));
        awaitLog(job.key(0, 1), "started");
        restarted().start(job.launch(0, 1, placement, "/"));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        backend.start(job.launch(0, 1, placement, "/"));
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(log(job.key(0, 1))).isEqualTo("started\n");
    }

    @Test
    void a12_aNewServiceSeesWhatRunsAndHowItEnds() throws Exception {
        TrialJob job = job(
                "echo before; while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done; echo after; exit 3");
        start(job);
        Seen.Running before = awaitRunning(job.key(0, 1));
        awaitLog(job.key(0, 1), "before");
        restarted();
        Seen.Running after = awaitRunning(job.key(0, 1));
        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.startedAt()).isEqualTo(before.startedAt());
        letGo(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(3);
        assertThat(log(job.key(0, 1))).isEqualTo("before\nafter\n");
    }

    @Test
    void a14_anEndWhileNoServiceLivedIsSeenLater() throws Exception {
        TrialJob job = job("echo ready; sleep 6; echo bye; kill -SEGV $$");
        start(job);
        awaitRunning(job.key(0, 1));
        backend.close();
        Await.until("it ends", soon(), () -> processesOf(job.id()).isEmpty());
        restarted();
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(139);
        assertThat(log(job.key(0, 1))).startsWith("ready\nbye\n");
    }

    @Test
    void a16_aNeighbourLivesOn() throws Exception {
        TrialJob job = job("sleep 600").withWorkers(2);
        TrialJob neighbour = job("sleep 600");
        start(job);
        start(neighbour);
        awaitRunning(job.key(0, 1));
        Seen.Running other = awaitRunning(job.key(1, 1));
        Seen.Running stranger = awaitRunning(neighbour.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        awaitEnd(job.key(0, 1));
        assertThat(awaitRunning(job.key(1, 1)).pid()).isEqualTo(other.pid());
        assertThat(awaitRunning(neighbour.key(0, 1)).pid()).isEqualTo(stranger.pid());
    }

    @Test
    void b79_whatAnotherRemovesByForceIsOverAndNotStartedAgain() throws Exception {
        TrialJob job = job("echo started; sleep 600").withWorkers(2);
        Placement placement = start(job);
        Seen.Running other = awaitRunning(job.key(1, 1));
        awaitLog(job.key(0, 1), "started");
        removeByForce(job.key(0, 1));
        awaitOver(job.key(0, 1));
        backend.start(job.launch(0, 1, placement, "/"));
        awaitOver(job.key(0, 1));
        restarted();
        awaitOver(job.key(0, 1));
        assertThat(awaitRunning(job.key(1, 1)).pid()).isEqualTo(other.pid());
        assertThat(log(job.key(0, 1))).isEqualTo("started\n");
        backend.stop(job.key(1, 1), StopHow.KILL);
        awaitEnd(job.key(1, 1));
        assertNothingRuns(job.id());
    }

    /** Over without a code of its own: nothing is known, or that it was killed or ended by somebody. */
    private void awaitOver(ProcessKey key) {
        Await.until(
                key + " is over",
                soon(),
                () -> seen(key)
                        .map(state -> state instanceof Seen.Vanished
                                || state instanceof Seen.Ended ended
                                        && (ended.code() == 137 || ended.cause().isPresent()))
                        .orElse(false));
    }

    @Test
    void a19_anEndThatWasSeenIsNotChangedByAnybodysCleaningUp() throws Exception {
        TrialJob job = job("echo done; exit 3");
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        backend.sweep(job.key(0, 1));
        removeByForce(job.key(0, 1));
        assertThat(awaitEnd(job.key(0, 1))).isEqualTo(end);
        restarted();
        assertThat(awaitEnd(job.key(0, 1))).isEqualTo(end);
        assertThat(log(job.key(0, 1))).isEqualTo("done\n");
    }

    @Test
    @Timeout(900)
    void b80_lostContactHarmsNothing() throws Exception {
        Optional<Outage> outage = outage();
        TrialJob job = job(
                "echo before; while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done; echo after; exit 3");
        start(job);
        Seen.Running before = awaitRunning(job.key(0, 1));
        awaitLog(job.key(0, 1), "before");
        if (outage.isEmpty()) {
            assertThat(backend.observe(job.id()))
                    .as("nothing to lose contact to")
                    .hasSize(1);
            return;
        }
        outage.get().begin();
        try {
            long begun = System.nanoTime();
            long lasts = Duration.ofSeconds(Long.getLong(OUTAGE_SECONDS, 5)).toNanos();
            do {
                assertNoContact(job);
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            } while (System.nanoTime() - begun < lasts);
        } finally {
            outage.get().end();
        }
        Seen.Running after = Await.value("there is contact again", soon(), () -> running(job.key(0, 1)));
        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.startedAt()).isEqualTo(before.startedAt());
        letGo(job);
        Seen.Ended end = Await.value("it ends", soon(), () -> ended(job.key(0, 1)));
        assertThat(end.code()).isEqualTo(3);
        assertThat(log(job.key(0, 1))).isEqualTo("before\nafter\n");
    }

    /** Nothing is judged, and nobody waits long for the answer. */
    private void assertNoContact(TrialJob job) {
        long begun = System.nanoTime();
        assertThatThrownBy(() -> backend.observe(job.id())).isInstanceOfSatisfying(BackendException.class, lost -> {
            assertThat(lost.kind()).isEqualTo(BackendException.Kind.NO_CONTACT);
            assertThat(lost.getMessage()).isNotBlank();
        });
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(soon());
    }

    private Optional<Seen.Running> running(ProcessKey key) {
        return whereThereIsContact(key).filter(Seen.Running.class::isInstance).map(Seen.Running.class::cast);
    }

    private Optional<Seen.Ended> ended(ProcessKey key) {
        return whereThereIsContact(key).filter(Seen.Ended.class::isInstance).map(Seen.Ended.class::cast);
    }

    private Optional<Seen> whereThereIsContact(ProcessKey key) {
        try {
            return seen(key);
        } catch (BackendException notYet) {
            assertThat(notYet.kind()).isEqualTo(BackendException.Kind.NO_CONTACT);
            return Optional.empty();
        }
    }
}
