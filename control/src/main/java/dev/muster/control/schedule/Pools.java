package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import java.util.ArrayList;
import java.util.List;

/** The room there is while a pass hands it out. Single-threaded. */
final class Pools {
    private final Situation situation;
    private final Loans loans;
    private final Ledger held;
    private final List<Claim> added = new ArrayList<>();

    Pools(Situation situation) {
        this.situation = situation;
        this.loans = new Loans(situation.queues());
        this.held = situation.holdings().held().over();
    }

    /** What is held, with what the pass has handed out. */
    Ledger held() {
        return held;
    }

    Loans loans() {
        return loans;
    }

    void add(Claim claim) {
        held.add(claim);
        added.add(claim);
    }

    /** Number of the job admitted last. */
    long admissions() {
        return situation.admissions() + added.size();
    }

    /** What is free, or may be taken. */
    Capacity room(Pool pool) {
        return switch (pool) {
            case Pool.OfBackend of -> whole(pool).minus(held.ofBackend(of.backend()));
            case Pool.OfQueue of -> loans.room(of.queue(), held);
        };
    }

    /** What there would be if nobody held anything. */
    Capacity whole(Pool pool) {
        return switch (pool) {
            case Pool.OfBackend of -> situation.whole().getOrDefault(of.backend(), Capacity.ZERO);
            case Pool.OfQueue of -> loans.most(of.queue());
        };
    }

    /** What is given back soon. */
    Capacity coming(Pool pool) {
        return switch (pool) {
            case Pool.OfBackend of -> situation.holdings().going().ofBackend(of.backend());
            case Pool.OfQueue of -> situation.holdings().going().ofQueue(of.queue());
        };
    }

    /** What this pass has handed out to those whose number of admission is higher. */
    Capacity addedSince(Pool pool, long number) {
        Capacity sum = Capacity.ZERO;
        for (int index = (int) Math.max(0, number - situation.admissions()); index < added.size(); index++) {
            if (pool.serves(added.get(index))) {
                sum = sum.plus(added.get(index).demand());
            }
        }
        return sum;
    }
}
