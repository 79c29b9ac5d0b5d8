package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who may pass the holder of a reservation: whoever cannot delay it. */
final class Beside {
    private final Situation situation;
    private final Pools pools;
    private final Map<Wanted, Optional<Instant>> starts = new HashMap<>();
    private final Map<Since, Capacity> held = new HashMap<>();

    private record Wanted(Pool pool, Capacity amount) {}

    private record Since(Pool pool, long after) {}

    Beside(Situation situation, Pools pools) {
        this.situation = situation;
        this.pools = pools;
    }

    /**
     * Whether the job, which fits, may take its room although the holder of a reservation waits for some.
     *
     * @param wanted what the holder asks for, and those before it
     */
    boolean allows(Pool pool, Reservation reservation, Capacity wanted, Waiting job) {
        Capacity left = reservation.firm(situation.now())
                ? pools.room(pool).minus(wanted)
                : pools.whole(pool).minus(wanted).minus(later(pool, reservation));
        if (Amounts.fits(job.claim().demand(), left)) {
            return true;
        }
        // It is gone before the holder could start by the deadlines of those who run. Who is asked to make room ends
        // earlier.
        return !reservation.urgent()
                && job.runLimit().isPresent()
                && starts.computeIfAbsent(new Wanted(pool, wanted), this::start)
                        .map(at -> !situation.now().plus(job.runLimit().get()).isAfter(at))
                        .orElse(false);
    }

    /** What those hold who started after the reservation was made. */
    private Capacity later(Pool pool, Reservation reservation) {
        Capacity before = held.computeIfAbsent(
                new Since(pool, reservation.after()),
                key -> situation.holdings().all().stream()
                        .filter(holding -> holding.order() > key.after() && pool.serves(holding.claim()))
                        .map(holding -> holding.claim().demand())
                        .reduce(Capacity.ZERO, Capacity::plus));
        return before.plus(pools.addedSince(pool, reservation.after()));
    }

    /** When there is room by the deadlines of those who run; empty when they do not tell. */
    private Optional<Instant> start(Wanted wanted) {
        List<Holding> ends = situation.holdings().all().stream()
                .filter(holding -> holding.endsBy().isPresent() && wanted.pool().serves(holding.claim()))
                .sorted(Comparator.comparing(
                        (Holding holding) -> holding.endsBy().orElseThrow()))
                .toList();
        Capacity room = pools.room(wanted.pool());
        for (Holding holding : ends) {
            room = room.plus(holding.claim().demand());
            if (Amounts.fits(wanted.amount(), room)) {
                return holding.endsBy();
            }
        }
        return Optional.empty();
    }
}
