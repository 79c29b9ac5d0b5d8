package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Queue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who makes room for a job: those of lower priority in its queue, if the queue has them preempted, and those of other queues that hold more
 * than theirs, if the job asks only for what is its queue's own. The lowest priority first, then who started last; one alone if one is enough;
 * nobody who is not needed; nobody at all if there is no room even then, or if room comes by itself.
 */
final class Victims {
    private static final Comparator<Holding> CHEAPEST = Comparator.comparingInt(
                    (Holding holding) -> holding.claim().priority())
            .thenComparing(Holding::order, Comparator.reverseOrder())
            .thenComparing(Holding::id);

    private final Situation situation;
    private final Pools pools;
    private final Set<JobId> chosenBefore = new HashSet<>();
    private final Ledger goingToo = new Ledger();
    private final Set<JobId> served = new HashSet<>();
    private Optional<Instant> nextUnprotected = Optional.empty();

    Victims(Situation situation, Pools pools) {
        this.situation = situation;
        this.pools = pools;
    }

    /**
     * Whom to preempt so that the job, which lacks room, can start; empty when nobody is to be.
     *
     * @param kept what of the backend's room is another's
     */
    List<Holding> toAdmit(Claim claim, Capacity kept) {
        Queue queue = situation.queues().get(claim.queue());
        boolean reclaims = queue.reclaim() && reclaims(claim);
        if (!queue.preempt() && !reclaims || fits(claim, kept, List.of())) {
            return List.of();
        }
        List<Holding> candidates = new ArrayList<>();
        for (Holding holding : situation.holdings().all()) {
            boolean lower = queue.preempt()
                    && holding.claim().queue().equals(claim.queue())
                    && holding.claim().priority() < claim.priority();
            if ((lower || reclaims && !holding.claim().queue().equals(claim.queue())) && mayGo(holding)) {
                candidates.add(holding);
            }
        }
        candidates.sort(CHEAPEST);
        List<Holding> chosen = choose(claim, kept, candidates);
        chosen.forEach(victim -> {
            chosenBefore.add(victim.id());
            goingToo.add(victim.claim());
        });
        if (!chosen.isEmpty()) {
            served.add(claim.id());
        }
        return chosen;
    }

    /** Whether the job will have room by those who are going, or were chosen to. */
    boolean comes(Claim claim, Capacity kept) {
        return served.contains(claim.id()) || fits(claim, kept, List.of());
    }

    /** When the first of those who may not be preempted yet may be. */
    Optional<Instant> nextUnprotected() {
        return nextUnprotected;
    }

    /** Whether the job only claims back what is its queue's own: it keeps within the quota, and lacks nothing that has none. */
    private boolean reclaims(Claim claim) {
        if (!pools.loans().owns(claim, pools.held())) {
            return false;
        }
        Capacity lacks = Amounts.lacking(claim.demand(), pools.room(new Pool.OfBackend(claim.backend())));
        Capacity quotas = pools.loans().quotas(claim.queue());
        return Amounts.fits(
                lacks,
                new Capacity(
                        quotas.processes() * Integer.MAX_VALUE,
                        quotas.milliCpus() * Long.MAX_VALUE,
                        quotas.memoryBytes() * Long.MAX_VALUE,
                        quotas.gpus() * Integer.MAX_VALUE));
    }

    private boolean mayGo(Holding holding) {
        if (holding.going() || chosenBefore.contains(holding.id())) {
            return false;
        }
        Optional<Instant> until = holding.returnedAt()
                .map(at ->
                        at.plus(situation.queues().get(holding.claim().queue()).preemptAfter()))
                .filter(at -> at.isAfter(situation.now()));
        if (until.isPresent() && (nextUnprotected.isEmpty() || until.get().isBefore(nextUnprotected.get()))) {
            nextUnprotected = until;
        }
        return until.isEmpty();
    }

    private List<Holding> choose(Claim claim, Capacity kept, List<Holding> candidates) {
        List<Holding> chosen = new ArrayList<>();
        for (Holding candidate : candidates) {
            if (useful(claim, kept, chosen, candidate)) {
                chosen.add(candidate);
                if (fits(claim, kept, chosen)) {
                    return fewest(claim, kept, candidates, chosen);
                }
            }
        }
        return List.of();
    }

    private List<Holding> fewest(Claim claim, Capacity kept, List<Holding> candidates, List<Holding> enough) {
        int highest = enough.getLast().claim().priority();
        for (Holding alone : candidates) {
            if (alone.claim().priority() <= highest
                    && useful(claim, kept, List.of(), alone)
                    && fits(claim, kept, List.of(alone))) {
                return List.of(alone);
            }
        }
        List<Holding> needed = new ArrayList<>(enough);
        for (Holding dearest : enough.reversed()) {
            List<Holding> without = new ArrayList<>(needed);
            without.remove(dearest);
            if (fits(claim, kept, without)) {
                needed = without;
            }
        }
        return needed;
    }

    /** Whether the candidate gives something that the job still lacks, and one of another queue only what that queue has borrowed. */
    private boolean useful(Claim claim, Capacity kept, List<Holding> chosen, Holding candidate) {
        Capacity given = candidate.claim().demand();
        Capacity lacksThere = Amounts.lacking(claim.demand(), onBackend(claim, kept, chosen));
        boolean sameBackend = candidate.claim().backend() == claim.backend();
        if (candidate.claim().queue().equals(claim.queue())) {
            Capacity lacksHere = Amounts.lacking(claim.demand(), inQueue(claim, chosen));
            return sameBackend && Amounts.overlap(lacksThere, given) || Amounts.overlap(lacksHere, given);
        }
        Ledger left = pools.held().over();
        chosen.forEach(victim -> left.remove(victim.claim()));
        Capacity borrowed = pools.loans().borrowed(candidate.claim().queue(), left);
        Capacity back = Amounts.least(given, borrowed);
        return sameBackend && Amounts.overlap(lacksThere, back);
    }

    /** Whether the job fits once these are gone, and those who go anyway. */
    private boolean fits(Claim claim, Capacity kept, List<Holding> gone) {
        return Amounts.fits(claim.demand(), onBackend(claim, kept, gone))
                && Amounts.fits(claim.demand(), inQueue(claim, gone));
    }

    private Capacity onBackend(Claim claim, Capacity kept, List<Holding> gone) {
        Pool backend = new Pool.OfBackend(claim.backend());
        Capacity room = pools.room(backend).plus(pools.coming(backend)).plus(goingToo.ofBackend(claim.backend()));
        Capacity left = room.minus(Amounts.least(Amounts.most(room, Capacity.ZERO), kept));
        for (Holding victim : gone) {
            left = victim.claim().backend() == claim.backend()
                    ? left.plus(victim.claim().demand())
                    : left;
        }
        return left;
    }

    private Capacity inQueue(Claim claim, List<Holding> gone) {
        Ledger left = pools.held().over();
        gone.forEach(victim -> left.remove(victim.claim()));
        situation.holdings().all().stream()
                .filter(holding -> holding.going() || chosenBefore.contains(holding.id()))
                .forEach(going -> left.remove(going.claim()));
        return pools.loans().room(claim.queue(), left);
    }
}
