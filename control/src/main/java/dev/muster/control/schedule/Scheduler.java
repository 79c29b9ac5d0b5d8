package dev.muster.control.schedule;

import dev.muster.control.schedule.Claim.Member;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Queue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One pass over the queues: who starts now, who makes room, for whom room is kept. Whole gangs only. What it decides follows from the
 * {@link Situation} alone; docs/scheduling.md has the rules.
 */
final class Scheduler {
    private final Situation situation;
    private final Pools pools;
    private final Shares shares;
    private final Beside beside;
    private final Victims victims;
    private final Map<Pool, Reservation> reservations;
    private final Set<JobId> seen = new HashSet<>();
    private final Set<String> blocked = new HashSet<>();
    private int looked;
    private final Map<JobId, Claim> admitted = new LinkedHashMap<>();
    private final List<JobId> never = new ArrayList<>();
    private final List<Outcome.Preemption> preempted = new ArrayList<>();

    private Scheduler(Situation situation) {
        this.situation = situation;
        this.pools = new Pools(situation);
        this.shares = new Shares(situation.whole());
        this.beside = new Beside(situation, pools);
        this.victims = new Victims(situation, pools);
        this.reservations = new HashMap<>(situation.reservations());
    }

    /**
     * What is decided.
     *
     * @param outcome      what follows for jobs
     * @param reservations room that is kept from now on
     * @param looked       how many jobs were looked at
     */
    record Plan(Outcome outcome, Map<Pool, Reservation> reservations, int looked) {
        Plan {
            reservations = Map.copyOf(reservations);
        }
    }

    /** Decides. The holders of the reservations in the situation still wait. */
    static Plan decide(Situation situation) {
        return new Scheduler(situation).run();
    }

    private Plan run() {
        firstTheFirm();
        PriorityQueue<Turn> turns = new PriorityQueue<>(Turn.ORDER);
        situation.waiting().queues().forEach(queue -> next(turns, cursor(queue), queue));
        while (!turns.isEmpty()) {
            Turn turn = turns.poll();
            looked++;
            if (seen.add(turn.job.id()) ? take(turn.job) : admitted.containsKey(turn.job.id())) {
                turn.cursor.served();
            } else {
                turn.cursor.refused();
                passOver(turn.job);
                if (blocked.contains(turn.queue) && nobodyFits()) {
                    continue;
                }
            }
            next(turns, turn.cursor, turn.queue);
        }
        return new Plan(new Outcome(List.copyOf(admitted.values()), never, preempted, again()), reservations, looked);
    }

    /** Whether no backend has room for the least that anybody asks for. */
    private boolean nobodyFits() {
        for (BackendKind backend : situation.whole().keySet()) {
            Capacity least = situation.waiting().least(backend);
            if (least.processes() > 0 && Amounts.fits(least, pools.room(new Pool.OfBackend(backend)))) {
                return false;
            }
        }
        return true;
    }

    /** Those for whom room is kept are no longer looked at when one of their shape was refused. */
    private void passOver(Waiting job) {
        Claim claim = job.claim();
        for (Reservation first : reservations.values()) {
            for (Reservation reservation : first.all()) {
                Claim holder = reservation.holder();
                if (holder.user().equals(claim.user())
                        && holder.queue().equals(claim.queue())
                        && holder.priority() == claim.priority()
                        && holder.backend() == claim.backend()
                        && holder.demand().equals(claim.demand())) {
                    seen.add(holder.id());
                }
            }
        }
    }

    /** A queue's next job, with what decides when the queue has its turn. */
    private record Turn(String queue, QueueCursor cursor, Waiting job, boolean owns, double share) {
        /** What is a queue's own by quota, then the smaller share by weight, then who waits longest. */
        static final Comparator<Turn> ORDER = Comparator.comparingInt((Turn turn) -> turn.owns ? 0 : 1)
                .thenComparingDouble(Turn::share)
                .thenComparing(Turn::job, Waiting.BY_TIME);
    }

    private QueueCursor cursor(String queue) {
        return new QueueCursor(situation.waiting().of(queue), user -> {
            Member member = new Member(queue, user);
            return shares.ofUser(pools.held(), member) + situation.past().of(member);
        });
    }

    private void next(PriorityQueue<Turn> turns, QueueCursor cursor, String name) {
        cursor.peek().ifPresent(job -> {
            Queue queue = situation.queues().get(name);
            boolean owns = pools.loans().owns(job.claim(), pools.held());
            turns.add(new Turn(name, cursor, job, owns, shares.ofQueue(pools.held(), queue)));
        });
    }

    /** Who has waited at the head long enough goes before all that are not of higher priority in its queue. */
    private void firstTheFirm() {
        situation.reservations().values().stream()
                .flatMap(reservation -> reservation.all().stream())
                .filter(reservation -> reservation.firm(situation.now()) && isHighest(reservation.holder()))
                .sorted(Comparator.comparing(Reservation::since)
                        .thenComparing((Reservation each) -> each.holder().id()))
                .forEach(reservation -> waiting(reservation.holder()).ifPresent(job -> {
                    if (seen.add(job.id())) {
                        take(job);
                    }
                }));
    }

    private boolean isHighest(Claim claim) {
        var levels = situation.waiting().of(claim.queue());
        return !levels.isEmpty() && levels.firstKey() <= claim.priority();
    }

    private Optional<Waiting> waiting(Claim claim) {
        return Optional.ofNullable(situation.waiting().of(claim.queue()).get(claim.priority()))
                .map(users -> users.get(claim.user()))
                .flatMap(line -> line.byTime().stream()
                        .filter(job -> job.id().equals(claim.id()))
                        .findFirst());
    }

    /** Has the job its room if it fits; true when it has. */
    private boolean take(Waiting job) {
        Claim claim = job.claim();
        Capacity whole = situation.whole().get(claim.backend());
        if (whole == null) {
            return false;
        }
        if (!Amounts.fits(claim.demand(), whole)) {
            never.add(job.id());
            return false;
        }
        Pool backend = new Pool.OfBackend(claim.backend());
        Pool queue = new Pool.OfQueue(claim.queue());
        if (!Amounts.fits(claim.demand(), pools.room(queue))) {
            waitFor(queue, claim);
            if (!victims.comes(claim, keptForOthers(claim))) {
                giveUp(backend, job.id());
            }
            return false;
        }
        // Who holds the backend's reservation was let past that of its queue before: each waiting for the other would
        // be for ever.
        boolean holds = kept(backend).stream().anyMatch(reservation -> reservation.isOf(job.id()));
        if (!holds && !mayPass(queue, job)) {
            return false;
        }
        if (!Amounts.fits(claim.demand(), pools.room(backend))) {
            waitFor(backend, claim);
            return false;
        }
        if (!mayPass(backend, job)) {
            return false;
        }
        pools.add(claim);
        admitted.put(job.id(), claim);
        giveUp(queue, job.id());
        giveUp(backend, job.id());
        return true;
    }

    private void giveUp(Pool pool, JobId job) {
        reservations.computeIfPresent(pool, (key, kept) -> kept.without(job).orElse(null));
    }

    private boolean mayPass(Pool pool, Waiting job) {
        Capacity wanted = Capacity.ZERO;
        for (Reservation reservation : kept(pool)) {
            if (reservation.isOf(job.id())) {
                return true;
            }
            boolean behind = seen.contains(reservation.holder().id()) || reservation.firm(situation.now());
            if (behind && !goesBefore(job.claim(), reservation)) {
                wanted = wanted.plus(reservation.holder().demand());
                if (!beside.allows(pool, reservation, wanted, job)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<Reservation> kept(Pool pool) {
        Reservation first = reservations.get(pool);
        return first == null ? List.of() : first.all();
    }

    /**
     * Whether a job may take the place of the holder of a reservation: for a higher priority of its queue, or because it asks for its queue's
     * own and the holder does not. What others were asked to give up is not taken by another queue.
     */
    private boolean goesBefore(Claim claim, Reservation reservation) {
        Claim holder = reservation.holder();
        if (claim.queue().equals(holder.queue())) {
            return claim.priority() > holder.priority();
        }
        return !reservation.urgent()
                && pools.loans().owns(claim, pools.held())
                && !pools.loans().owns(holder, pools.held());
    }

    /** Keeps room for the job if it is the first that lacks some, and has others make room where its queue says so. */
    private void waitFor(Pool pool, Claim claim) {
        Reservation kept = reservations.get(pool);
        if (kept == null || !kept.isOf(claim.id()) && goesBefore(claim, kept)) {
            reservations.put(pool, made(claim, pool));
        }
        boolean first = blocked.add(claim.queue()) || reservations.get(pool).isOf(claim.id());
        if (!first || !isFirstOfQueue(claim)) {
            return;
        }
        List<Holding> chosen = victims.toAdmit(claim, keptForOthers(claim));
        if (!chosen.isEmpty()) {
            chosen.forEach(victim ->
                    preempted.add(new Outcome.Preemption(victim.id(), claim.id(), reason(victim.claim(), claim))));
            both(claim).forEach(each -> {
                Reservation reservation = reservations.get(each);
                boolean own = reservation != null && reservation.isOf(claim.id());
                reservations.put(each, (own ? reservation : made(claim, each)).asUrgent());
            });
        }
    }

    /** A new reservation in the place of the one there is. */
    private Reservation made(Claim claim, Pool pool) {
        Optional<Reservation> before =
                Optional.ofNullable(reservations.get(pool)).flatMap(kept -> kept.without(claim.id()));
        return new Reservation(claim, situation.now(), pools.admissions(), false, before);
    }

    /** Whether nobody in its queue has a right to what others give up before it. */
    private boolean isFirstOfQueue(Claim claim) {
        Reservation kept = reservations.get(new Pool.OfQueue(claim.queue()));
        return kept == null || kept.isOf(claim.id()) || goesBefore(claim, kept);
    }

    /** What is kept on the backend for jobs that this one does not go before: others who make room have to give all the more. */
    private Capacity keptForOthers(Claim claim) {
        Capacity others = Capacity.ZERO;
        for (Reservation reservation : kept(new Pool.OfBackend(claim.backend()))) {
            if (reservation.isOf(claim.id())) {
                return others;
            }
            others = goesBefore(claim, reservation)
                    ? others
                    : others.plus(reservation.holder().demand());
        }
        return others;
    }

    private static Stream<Pool> both(Claim claim) {
        return Stream.of(new Pool.OfQueue(claim.queue()), new Pool.OfBackend(claim.backend()));
    }

    private static String reason(Claim victim, Claim claim) {
        return "made room for job " + claim.id()
                + (victim.queue().equals(claim.queue())
                        ? ", which has priority " + claim.priority()
                        : ", as queue " + claim.queue() + " claims back what queue " + victim.queue()
                                + " had borrowed");
    }

    private Optional<Instant> again() {
        Stream<Instant> firm =
                reservations.values().stream().map(Reservation::firmAt).filter(at -> at.isAfter(situation.now()));
        return Stream.concat(firm, victims.nextUnprotected().stream()).min(Comparator.naturalOrder());
    }
}
