package dev.muster.testkit;

import static dev.muster.testkit.SampleJobs.NOON;
import static dev.muster.testkit.SampleJobs.event;
import static dev.muster.testkit.SampleJobs.next;
import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Written;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link JobStore} must show of its leases. Part of {@link JobStoreTck}. */
public abstract class LeaseTck {
    protected static final JobId ONE = new JobId("j1");
    private static final Site SITE = new Site(BackendKind.LOCAL, Optional.empty());
    private static final Site CLUSTER = new Site(BackendKind.KUBERNETES, Optional.empty());
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(250);

    /** The store under test; {@link #reopen} replaces it. */
    protected JobStore store;

    /** Opens the store over whatever was stored in this test before. */
    protected abstract JobStore open() throws Exception;

    /** A store in virtual time lets some pass; others need do nothing. */
    protected void letTimePass(Duration time) {}

    @BeforeEach
    final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    /** Ends the store and starts one over the same place, as a restarted service does. */
    protected final void reopen() throws Exception {
        store.close();
        store = open();
    }

    private Lease taken(Site site, String holder, Duration lasts) {
        Answer answer = store.leases().take(site, holder, lasts);
        assertThat(answer).isInstanceOf(Answer.Taken.class);
        return ((Answer.Taken) answer).lease();
    }

    private Lease takenOnceFree(Site site, String holder) {
        return Await.value(holder + " takes " + site, Duration.ofSeconds(10), () -> {
            letTimePass(Duration.ofMillis(50));
            return store.leases().take(site, holder, LONG) instanceof Answer.Taken taken
                    ? Optional.of(taken.lease())
                    : Optional.empty();
        });
    }

    private Written step(JobRecord job, JobState to, Lease lease) {
        return store.compareAndSet(next(job, to), List.of(event(job, to, NOON)), lease);
    }

    private JobRecord accepted() {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of(), Optional.empty());
        return job;
    }

    @Test
    void aLeaseThatRanOutOrWasGivenBackAndNobodyTookIsToldWithItsEnd() {
        assertThat(store.leases().ranOut(SITE)).isEmpty();
        Lease lease = taken(SITE, "a", SHORT);
        assertThat(store.leases().ranOut(SITE)).isEmpty();
        Instant ended = Await.value("it has run out", Duration.ofSeconds(10), () -> {
            letTimePass(Duration.ofMillis(50));
            return store.leases().ranOut(SITE);
        });
        letTimePass(Duration.ofMillis(50));
        assertThat(store.leases().ranOut(SITE)).contains(ended);
        assertThat(store.leases().ranOut(CLUSTER)).isEmpty();
        store.leases().release(lease);
        assertThat(store.leases().ranOut(SITE)).contains(ended);
        Lease second = taken(SITE, "b", LONG);
        assertThat(store.leases().ranOut(SITE)).isEmpty();
        store.leases().release(second);
        assertThat(store.leases().ranOut(SITE))
                .as("given back")
                .hasValueSatisfying(at -> assertThat(at).isAfter(ended));
    }

    @Test
    void aSiteIsHeldByOneAndWithinItsTime() {
        Lease first = taken(SITE, "a", LONG);
        assertThat(first).isEqualTo(new Lease(SITE, "a", 1));
        assertThat(store.leases().take(SITE, "b", LONG)).isInstanceOfSatisfying(Answer.Held.class, held -> {
            assertThat(held.holder()).isEqualTo("a");
            assertThat(held.left()).isGreaterThan(LONG.minusMinutes(1)).isLessThanOrEqualTo(LONG);
        });
        assertThat(store.leases().renew(first, LONG)).isTrue();
        assertThat(taken(CLUSTER, "b", LONG)).as("another site").isEqualTo(new Lease(CLUSTER, "b", 1));
        Site host = new Site(BackendKind.LOCAL, Optional.of("h1"));
        assertThat(taken(host, "b", LONG)).as("another host").isEqualTo(new Lease(host, "b", 1));
    }

    @Test
    void whoTakesItsOwnSiteAgainIsANewGeneration() {
        Lease first = taken(SITE, "a", LONG);
        Lease second = taken(SITE, "a", LONG);
        assertThat(second.generation()).isEqualTo(2);
        assertThat(store.leases().renew(first, LONG)).isFalse();
        assertThat(store.leases().renew(second, LONG)).isTrue();
    }

    @Test
    void aLeaseThatRanOutIsTakenByAnother() {
        Lease first = taken(SITE, "a", SHORT);
        Lease second = takenOnceFree(SITE, "b");
        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(store.leases().renew(first, LONG)).isFalse();
        assertThat(store.leases().take(SITE, "a", LONG)).isInstanceOf(Answer.Held.class);
        store.leases().release(first);
        assertThat(store.leases().take(SITE, "a", LONG))
                .as("a release by who lost it")
                .isInstanceOf(Answer.Held.class);
    }

    @Test
    void aLeaseThatRanOutIsRenewedWhileNobodyTookIt() {
        Lease lease = taken(SITE, "a", Duration.ZERO);
        letTimePass(SHORT);
        assertThat(store.leases().renew(lease, LONG)).isTrue();
        assertThat(store.leases().take(SITE, "b", LONG)).isInstanceOf(Answer.Held.class);
    }

    @Test
    void aReleasedSiteIsTakenAtOnce() {
        Lease lease = taken(SITE, "a", LONG);
        store.leases().release(lease);
        assertThat(taken(SITE, "b", LONG).generation()).isEqualTo(2);
    }

    @Test
    void theGenerationGoesOnOverARestart() throws Exception {
        taken(SITE, "a", LONG);
        reopen();
        assertThat(taken(SITE, "a", LONG).generation()).isEqualTo(2);
    }

    @Test
    void manyAtOnceAndOneTakesIt() throws Exception {
        try (ExecutorService replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String holder = "r" + i;
                answers.add(replicas.submit(() -> store.leases().take(SITE, holder, LONG)));
            }
            int taken = 0;
            for (Future<Answer> answer : answers) {
                taken += answer.get() instanceof Answer.Taken ? 1 : 0;
            }
            assertThat(taken).isEqualTo(1);
        }
    }

    @Test
    void whoHoldsTheSiteDrivesItsJobs() {
        JobRecord job = accepted();
        Lease lease = taken(SITE, "a", LONG);
        assertThat(step(job, JobState.ADMITTED, lease)).isEqualTo(Written.STORED);
        assertThat(step(job, JobState.FAILED, lease)).isEqualTo(Written.OTHER_VERSION);
        assertThat(store.find(ONE)).contains(next(job, JobState.ADMITTED));
        assertThat(store.events(ONE, 0, 9)).hasSize(2);
    }

    @Test
    void whatTheZombieWritesIsRefused() {
        JobRecord job = accepted();
        Lease zombie = taken(SITE, "a", SHORT);
        Lease lease = takenOnceFree(SITE, "b");
        assertThat(step(job, JobState.ADMITTED, zombie)).isEqualTo(Written.LEASE_LOST);
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.events(ONE, 0, 9)).hasSize(1);
        assertThat(step(job, JobState.ADMITTED, lease)).isEqualTo(Written.STORED);
        assertThat(step(job, JobState.ADMITTED, zombie))
                .as("a lost lease is told before another version")
                .isEqualTo(Written.LEASE_LOST);
    }

    @Test
    void aLeaseThatRanOutStillWritesWhileNobodyTookIt() {
        JobRecord job = accepted();
        Lease lease = taken(SITE, "a", Duration.ZERO);
        letTimePass(SHORT);
        assertThat(step(job, JobState.ADMITTED, lease)).isEqualTo(Written.STORED);
    }

    @Test
    void aLeaseOnAnotherSiteIsAMistake() {
        JobRecord job = accepted();
        Lease lease = taken(CLUSTER, "a", LONG);
        assertThatThrownBy(() -> step(job, JobState.ADMITTED, lease)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.find(ONE)).contains(job);
    }

    /** A request of a user is carried out by whatever replica got it. */
    @Test
    void aRequestNeedsNoLease() {
        JobRecord job = accepted();
        taken(SITE, "a", LONG);
        assertThat(store.compareAndSet(next(job, JobState.CANCELLED), List.of()))
                .isTrue();
    }
}
