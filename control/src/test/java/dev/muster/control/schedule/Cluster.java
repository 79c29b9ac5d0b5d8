package dev.muster.control.schedule;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Jobs that wait and run on one backend of so many processes, with the scheduler between them. Who makes room is gone when told so. */
final class Cluster {
    static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    final Map<JobId, Waiting> waiting = new LinkedHashMap<>();
    final Map<JobId, Holding> holding = new LinkedHashMap<>();
    private final Map<JobId, Waiting> before = new LinkedHashMap<>();
    final Queues queues;
    private final Lines lines = new Lines();
    private final Holdings holdings = new Holdings();
    private final PastUse past = new PastUse();
    private final Capacity whole;
    private Map<Pool, Reservation> reservations = Map.of();
    private long admissions;
    private int submitted;
    Instant now = START;

    Cluster(int processes, Queue... queues) {
        this(new Capacity(processes, 0, 0, 0), queues);
    }

    Cluster(Capacity whole, Queue... queues) {
        this.whole = whole;
        this.queues = Queues.of(List.of(queues));
    }

    /** A queue with a quota of processes. */
    static Queue queue(String name, int quota) {
        return new Queue(name, processes(quota), Optional.empty(), true, 1, false, Queue.PREEMPT_AFTER);
    }

    static Queue borrowing(String name, int quota, int more) {
        return new Queue(name, processes(quota), Optional.of(processes(more)), true, 1, false, Queue.PREEMPT_AFTER);
    }

    static Queue preempting(String name) {
        return new Queue(name, Quota.NONE, Optional.empty(), true, 1, true, Queue.PREEMPT_AFTER);
    }

    static Queue weighing(String name, int weight) {
        return new Queue(name, Quota.NONE, Optional.empty(), true, weight, false, Queue.PREEMPT_AFTER);
    }

    static Quota processes(int count) {
        return new Quota(OptionalInt.of(count), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
    }

    /** A job that is being described. */
    final class Submission {
        private final String id;
        private String queue = Queue.DEFAULT;
        private String user = "ann";
        private int priority;
        private Capacity demand = new Capacity(1, 0, 0, 0);
        private Optional<Duration> runLimit = Optional.empty();

        private Submission(String id) {
            this.id = id;
        }

        Submission queue(String given) {
            queue = given;
            return this;
        }

        Submission user(String given) {
            user = given;
            return this;
        }

        Submission priority(int given) {
            priority = given;
            return this;
        }

        Submission processes(int count) {
            demand = new Capacity(count, 0, 0, 0);
            return this;
        }

        Submission demand(Capacity given) {
            demand = given;
            return this;
        }

        Submission endsWithin(Duration limit) {
            runLimit = Optional.of(limit);
            return this;
        }

        JobId waits() {
            Claim claim = new Claim(new JobId(id), BackendKind.LOCAL, queue, user, "default", priority, demand);
            enter(new Waiting(claim, now.plusMillis(submitted++), runLimit));
            return claim.id();
        }
    }

    Submission job(String id) {
        return new Submission(id);
    }

    private void enter(Waiting job) {
        waiting.put(job.id(), job);
        lines.add(job);
    }

    /** One pass; whoever is admitted holds from then on, whoever is to make room is going. */
    Outcome pass() {
        Scheduler.Plan plan = plan();
        reservations = plan.reservations();
        for (JobId id : plan.outcome().admitted()) {
            Waiting job = waiting.remove(id);
            lines.remove(job);
            Optional<Instant> returned = before.put(id, job) == null ? Optional.empty() : Optional.of(now);
            hold(new Holding(
                    job.claim(), ++admissions, false, returned, job.runLimit().map(now::plus)));
        }
        for (Outcome.Preemption preemption : plan.outcome().preempted()) {
            Holding victim = holding.get(preemption.victim());
            holdings.remove(victim);
            hold(new Holding(victim.claim(), victim.order(), true, victim.returnedAt(), victim.endsBy()));
        }
        return plan.outcome();
    }

    /** What a pass would do. */
    Scheduler.Plan plan() {
        past.advance(now, holdings.held(), new Shares(Map.of(BackendKind.LOCAL, whole)));
        return Scheduler.decide(situation());
    }

    Situation situation() {
        Map<Pool, Reservation> kept = new LinkedHashMap<>();
        reservations.forEach((pool, reservation) ->
                reservation.of(claim -> waiting.containsKey(claim.id())).ifPresent(valid -> kept.put(pool, valid)));
        return new Situation(queues, Map.of(BackendKind.LOCAL, whole), lines, holdings, past, kept, admissions, now);
    }

    private void hold(Holding job) {
        holding.put(job.id(), job);
        holdings.add(job);
    }

    /** The job is over; one that was going because it was preempted waits again. */
    Cluster ends(String id) {
        Holding job = holding.remove(new JobId(id));
        holdings.remove(job);
        if (job.going()) {
            enter(before.get(job.id()));
        }
        return this;
    }

    Cluster cancels(String id) {
        lines.remove(waiting.remove(new JobId(id)));
        return this;
    }

    Cluster after(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    Optional<Claim> headOfBackend() {
        return Optional.ofNullable(reservations.get(new Pool.OfBackend(BackendKind.LOCAL)))
                .map(Reservation::holder);
    }

    Instant headSince() {
        return reservations.get(new Pool.OfBackend(BackendKind.LOCAL)).since();
    }

    Capacity held() {
        return holdings.held().ofBackend(BackendKind.LOCAL);
    }

    Capacity heldBy(String queue) {
        return holdings.held().ofQueue(queue);
    }

    int active(String user) {
        return (int) holding.values().stream()
                .filter(job -> job.claim().user().equals(user))
                .count();
    }

    String why(String id) {
        Waiting job = waiting.get(new JobId(id));
        Situation situation = situation();
        return new WhyWaiting(situation)
                .of(job, Places.of(situation, 0).byJob().get(job.id()))
                .why();
    }

    static List<String> names(List<JobId> jobs) {
        return new ArrayList<>(jobs.stream().map(JobId::value).toList());
    }
}
