package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Who holds capacity, with the sums. Single-threaded. */
final class Holdings {
    private final Map<JobId, Holding> jobs = new HashMap<>();
    private final Ledger held = new Ledger();
    private final Ledger going = new Ledger();

    void add(Holding holding) {
        jobs.put(holding.id(), holding);
        held.add(holding.claim());
        if (holding.going()) {
            going.add(holding.claim());
        }
    }

    void remove(Holding holding) {
        jobs.remove(holding.id());
        held.remove(holding.claim());
        if (holding.going()) {
            going.remove(holding.claim());
        }
    }

    boolean contains(JobId job) {
        return jobs.containsKey(job);
    }

    Collection<Holding> all() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** All that is held. */
    Ledger held() {
        return held;
    }

    /** The part of it that is given back soon. */
    Ledger going() {
        return going;
    }
}
