package dev.muster.server.jobs;

import dev.muster.api.EventDocument;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.ProcessName;

/** Turns events into the documents that clients see. */
final class EventDocuments {
    private EventDocuments() {}

    static EventDocument of(Event event) {
        return new EventDocument(
                event.seq(),
                event.at(),
                event.process().isPresent() ? "process" : "job",
                event.process().map(ProcessName::toString),
                event.from(),
                event.to(),
                event.cause().map(Cause::text),
                event.reason());
    }
}
