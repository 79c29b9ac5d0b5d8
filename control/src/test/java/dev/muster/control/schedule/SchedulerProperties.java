package dev.muster.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Queue;
import dev.muster.model.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds whatever is submitted, ends, and is cancelled. */
final class SchedulerProperties {
    private static final int PROCESSES = 12;
    private static final Capacity WHOLE = new Capacity(PROCESSES, 8000, 16, 4);
    private static final Queue OWNER =
            new Queue("owner", cpus(5000), Optional.of(Quota.NONE), true, 2, true, Duration.ofMinutes(10));
    private static final Queue BOUNDED =
            new Queue("bounded", cpus(3000), Optional.empty(), true, 1, false, Duration.ofMinutes(10));
    private static final List<String> QUEUES = List.of("default", "owner", "bounded");

    private static Quota cpus(long milliCpus) {
        return new Quota(OptionalInt.empty(), OptionalLong.of(milliCpus), OptionalLong.empty(), OptionalInt.empty());
    }

    private static Cluster cluster() {
        return new Cluster(WHOLE, OWNER, BOUNDED);
    }

    private static void submit(Cluster cluster, Random random, int number) {
        int processes = 1 + random.nextInt(random.nextInt(6) == 0 ? PROCESSES : 3);
        String queue = QUEUES.get(random.nextInt(3));
        long cpus = 1000L * Math.min(random.nextInt(4), queue.equals("bounded") ? 3 : 8);
        Cluster.Submission job = cluster.job("j" + number)
                .queue(queue)
                .user("user" + random.nextInt(3))
                .priority(random.nextInt(3))
                .demand(new Capacity(processes, cpus, random.nextInt(4), random.nextInt(3)));
        if (random.nextInt(5) == 0) {
            job.endsWithin(Duration.ofMinutes(1 + random.nextInt(30)));
        }
        job.waits();
    }

    private static void end(Cluster cluster, Random random) {
        List<JobId> running = new ArrayList<>(cluster.holding.keySet());
        if (!running.isEmpty()) {
            cluster.ends(running.get(random.nextInt(running.size())).value());
        }
    }

    @Property(tries = 300)
    void neverMoreThanThereIsNorThanTheQuotaAndNobodyTwice(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = cluster();
        for (int step = 0; step < 120; step++) {
            Set<JobId> waited = new HashSet<>(cluster.waiting.keySet());
            Set<JobId> held = new HashSet<>(cluster.holding.keySet());
            Outcome outcome = cluster.pass();
            assertThat(waited).containsAll(outcome.admitted());
            assertThat(new HashSet<>(outcome.admitted())).hasSameSizeAs(outcome.admitted());
            assertThat(held)
                    .containsAll(outcome.preempted().stream()
                            .map(Outcome.Preemption::victim)
                            .toList());
            assertThat(Amounts.fits(cluster.held(), WHOLE))
                    .as("held %s", cluster.held())
                    .isTrue();
            assertThat(BOUNDED.quota().allows(cluster.heldBy("bounded"))).isTrue();
            long quotas = cluster.heldBy("owner").milliCpus()
                    + cluster.heldBy("bounded").milliCpus();
            assertThat(quotas).as("the quotas of both together").isLessThanOrEqualTo(8000);
            if (random.nextInt(2) == 0) {
                submit(cluster, random, step);
            } else {
                end(cluster, random);
            }
            cluster.after(Duration.ofSeconds(random.nextInt(120)));
        }
    }

    @Property(tries = 100)
    void theSameSituationHasTheSameOutcome(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster one = cluster();
        Cluster other = cluster();
        for (int job = 0; job < 40; job++) {
            long each = random.nextLong();
            submit(one, new Random(each), job);
            submit(other, new Random(each), job);
            assertThat(one.plan()).isEqualTo(one.plan()).isEqualTo(other.plan());
            assertThat(one.pass()).isEqualTo(other.pass());
        }
    }

    @Property(tries = 200)
    void everybodyStartsOnceNobodyElseComes(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = cluster();
        for (int job = 0; job < 30; job++) {
            submit(cluster, random, job);
            cluster.pass();
        }
        for (int step = 0; !cluster.waiting.isEmpty(); step++) {
            assertThat(step).as("%s wait", cluster.waiting.keySet()).isLessThan(500);
            end(cluster, random);
            cluster.after(Duration.ofMinutes(1));
            cluster.pass();
        }
    }

    /** A user who has had much, beside five whose small jobs never cease to come: the turn comes as the past is forgiven, and then room. */
    @Property(tries = 50)
    void a29_noGangIsStarvedHoweverManySmallJobsCome(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = cluster();
        Capacity all = new Capacity(PROCESSES, 0, 0, 0);
        cluster.job("past").user("zoe").demand(all).waits();
        cluster.pass();
        cluster.after(Duration.ofHours(20)).pass();
        cluster.ends("past");
        JobId large = cluster.job("large").user("zoe").demand(all).waits();
        int number = 0;
        for (int step = 0; !cluster.holding.containsKey(large); step++) {
            assertThat(step).as("tens of minutes").isLessThan(6 * 24 * 3);
            for (int user = 0; user < 5; user++) {
                while (waiting(cluster, "user" + user) < 2) {
                    cluster.job("s" + number++)
                            .user("user" + user)
                            .processes(1 + random.nextInt(2))
                            .waits();
                }
            }
            cluster.job("z" + number++).user("zoe").waits();
            cluster.pass();
            for (int ends = random.nextInt(4); ends > 0 && !cluster.holding.isEmpty(); ends--) {
                cluster.ends(cluster.holding.keySet().iterator().next().value());
            }
            cluster.after(Duration.ofMinutes(10));
            cluster.pass();
        }
    }

    @Property(tries = 300)
    void whoIsPreemptedMakesRoomIndeedAndIsNeeded(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = cluster();
        for (int step = 0; step < 80; step++) {
            submit(cluster, random, step);
            Reservation before = cluster.situation().reservations().get(new Pool.OfBackend(BackendKind.LOCAL));
            Outcome outcome = cluster.pass();
            List<JobId> victims =
                    outcome.preempted().stream().map(Outcome.Preemption::victim).toList();
            outcome.preempted().stream().map(Outcome.Preemption::by).distinct().forEach(by -> {
                Claim claim = cluster.waiting.get(by).claim();
                assertThat(fitsOnceGone(cluster, claim, Set.of()))
                        .as("room for %s", claim)
                        .isTrue();
                Reservation backend = cluster.situation().reservations().get(new Pool.OfBackend(BackendKind.LOCAL));
                boolean nothingIsAnothers = (before == null || before.isOf(by))
                        && backend.isOf(by)
                        && backend.displaced().isEmpty();
                for (JobId victim : nothingIsAnothers ? victims : List.<JobId>of()) {
                    assertThat(fitsOnceGone(cluster, claim, Set.of(victim)))
                            .as("room for %s without %s", claim, victim)
                            .isFalse();
                }
            });
            if (random.nextInt(3) == 0) {
                end(cluster, random);
            }
            cluster.after(Duration.ofMinutes(random.nextInt(5)));
        }
    }

    /** Whether the job fits into what there is once all that are going have gone but for some. */
    private static boolean fitsOnceGone(Cluster cluster, Claim claim, Set<JobId> butFor) {
        Ledger left = new Ledger();
        cluster.holding.values().stream()
                .filter(holding -> !holding.going() || butFor.contains(holding.id()))
                .forEach(holding -> left.add(holding.claim()));
        return Amounts.fits(claim.demand(), WHOLE.minus(left.ofBackend(BackendKind.LOCAL)))
                && Amounts.fits(claim.demand(), new Loans(cluster.queues).room(claim.queue(), left));
    }

    @Property(tries = 100)
    void usersOfEqualPriorityGetEqualParts(@ForAll long seed) {
        Random random = new Random(seed);
        Cluster cluster = new Cluster(6);
        Map<String, Integer> started = new HashMap<>();
        int number = 0;
        for (int step = 0; step < 150; step++) {
            for (String user : List.of("ann", "bob")) {
                while (waiting(cluster, user) < 3) {
                    cluster.job("j" + number++).user(user).waits();
                }
            }
            for (JobId id : cluster.pass().admitted()) {
                started.merge(cluster.holding.get(id).claim().user(), 1, Integer::sum);
            }
            cluster.after(Duration.ofSeconds(30));
            end(cluster, random);
        }
        int ann = started.get("ann");
        int bob = started.get("bob");
        assertThat(Math.abs(cluster.active("ann") - cluster.active("bob"))).isLessThanOrEqualTo(2);
        assertThat((double) ann / (ann + bob)).isBetween(0.35, 0.65);
    }

    private static long waiting(Cluster cluster, String user) {
        return cluster.waiting.values().stream()
                .filter(job -> job.claim().user().equals(user))
                .count();
    }
}
