package dev.muster.control.schedule;

import dev.muster.model.Amount;
import dev.muster.model.Capacity;
import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells why a job waits, in words. */
final class WhyWaiting {
    private static final String TURN = "waits for its turn";

    private final Situation situation;
    private final Pools pools;

    WhyWaiting(Situation situation) {
        this.situation = situation;
        this.pools = new Pools(situation);
    }

    /** How the job stands in this place of its queue. */
    Standing of(Waiting job, int place) {
        String queue = job.claim().queue();
        String before = place == 1
                ? "it is next in queue " + queue
                : Amount.of(place - 1, "job is", "jobs are") + " before it in queue " + queue;
        String what = what(job);
        return new Standing(place, what + "; " + before, !what.equals(TURN));
    }

    private String what(Waiting job) {
        Claim claim = job.claim();
        Pool backend = new Pool.OfBackend(claim.backend());
        Pool queue = new Pool.OfQueue(claim.queue());
        if (!situation.whole().containsKey(claim.backend())) {
            return "waits for backend " + claim.backend().text() + ", which cannot be used now";
        }
        Capacity most = pools.whole(queue);
        if (!Amounts.fits(claim.demand(), most)) {
            return "asks for more than queue " + claim.queue() + " may ever hold: "
                    + things(claim.demand(), most, "of");
        }
        if (!Amounts.fits(claim.demand(), pools.room(queue))) {
            return "waits for quota of queue " + claim.queue() + ": it asks for "
                    + things(claim.demand(), pools.room(queue), "left") + coming(claim, queue);
        }
        if (!Amounts.fits(claim.demand(), pools.room(backend))) {
            return "waits for " + things(claim.demand(), pools.room(backend), "free") + coming(claim, backend);
        }
        return Stream.of(queue, backend)
                .flatMap(pool -> Optional.ofNullable(situation.reservations().get(pool)).stream())
                .filter(reservation -> !reservation.isOf(job.id()))
                .map(reservation -> "would fit, but what is free is kept for job "
                        + reservation.holder().id() + ", which asks for "
                        + amounts(reservation.holder().demand()))
                .findFirst()
                .orElse(TURN);
    }

    private String coming(Claim claim, Pool pool) {
        Reservation reservation = situation.reservations().get(pool);
        boolean asked = reservation != null && reservation.isOf(claim.id()) && reservation.urgent();
        return asked ? ", and others are being stopped to make room for it" : "";
    }

    /** What is lacking, each with what there is of it. */
    private static String things(Capacity demand, Capacity room, String there) {
        Capacity lacks = Amounts.lacking(demand, room);
        List<String> things = new ArrayList<>();
        if (lacks.processes() > 0) {
            things.add(thing(Amount.processes(demand.processes()), Amount.number(room.processes()), there));
        }
        if (lacks.milliCpus() > 0) {
            things.add(thing(Amount.cpus(demand.milliCpus()), Amount.cpuNumber(room.milliCpus()), there));
        }
        if (lacks.memoryBytes() > 0) {
            things.add(thing(Amount.memory(demand.memoryBytes()), Amount.memory(room.memoryBytes()), there));
        }
        if (lacks.gpus() > 0) {
            things.add(thing(Amount.gpus(demand.gpus()), Amount.number(room.gpus()), there));
        }
        return String.join(" and ", things);
    }

    private static String thing(String asked, String room, String there) {
        return there.equals("of")
                ? asked + " of at most " + room
                : asked + ", " + room + (room.equals("1") ? " is " : " are ") + there;
    }

    /** All that is asked for. */
    private static String amounts(Capacity demand) {
        List<String> things = new ArrayList<>();
        things.add(Amount.processes(demand.processes()));
        if (demand.milliCpus() > 0) {
            things.add(Amount.cpus(demand.milliCpus()));
        }
        if (demand.memoryBytes() > 0) {
            things.add(Amount.memory(demand.memoryBytes()));
        }
        if (demand.gpus() > 0) {
            things.add(Amount.gpus(demand.gpus()));
        }
        return String.join(", ", things);
    }

    /** Why a queue that may hold so much can never take the job; empty when it can. */
    static List<Problem> tooLarge(String queue, Capacity demand, Capacity most) {
        if (Amounts.fits(demand, most)) {
            return List.of();
        }
        return List.of(Problem.of(
                "queue",
                "the whole job asks for more than queue " + queue + " may ever hold: " + things(demand, most, "of"),
                "ask for less, or use another queue"));
    }
}
