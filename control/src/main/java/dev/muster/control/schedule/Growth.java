package dev.muster.control.schedule;

import dev.muster.model.Capacity;

/** Whether a running group may grow: it takes only room that is kept for nobody who waits. */
final class Growth {
    private Growth() {}

    static boolean fits(Claim more, Situation situation) {
        Pools pools = new Pools(situation);
        return fits(new Pool.OfBackend(more.backend()), more, pools, situation)
                && fits(new Pool.OfQueue(more.queue()), more, pools, situation);
    }

    private static boolean fits(Pool pool, Claim more, Pools pools, Situation situation) {
        Capacity room = pools.room(pool);
        Reservation first = situation.reservations().get(pool);
        if (first != null) {
            for (Reservation reservation : first.all()) {
                room = room.minus(reservation.holder().demand());
            }
        }
        return Amounts.fits(more.demand(), room);
    }
}
