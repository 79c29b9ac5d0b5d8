package dev.muster.control.decide;

import dev.muster.model.Event;
import dev.muster.model.JobRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows from what is seen.
 *
 * @param next    the record to store, before any effect is carried out; empty when it stays as it is
 * @param events  the steps that the change consists of
 * @param effects what has to be done, in this order; derived again each time until it shows as done
 * @param wakeAt  when to look again even if nothing is heard; empty when only news can change anything
 */
public record Decision(Optional<JobRecord> next, List<Event> events, List<Effect> effects, Optional<Instant> wakeAt) {
    public Decision {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }
}
