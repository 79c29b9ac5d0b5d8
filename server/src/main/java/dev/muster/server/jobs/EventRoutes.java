package dev.muster.server.jobs;

import dev.muster.api.EventDocument;
import dev.muster.api.Page;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Queries;
import dev.muster.spi.JobStore;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The events of a job, as a page, as lines, or as server-sent events. */
final class EventRoutes implements Handler {
    private static final int PAGE = 1000;
    private static final int LARGEST_PAGE = 10_000;
    private static final int AT_ONCE = 500;
    private static final String LINES = "application/x-ndjson";
    private static final String SERVER_SENT = "text/event-stream";

    private final JobStore store;
    private final JobReferences references;
    private final Following following;

    EventRoutes(JobStore store, JobReferences references, Following following) {
        this.store = store;
        this.references = references;
        this.following = following;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        boolean follow = Queries.read(exchange, query -> query.flag("follow"));
        String accept = exchange.header("Accept").orElse("");
        long lastEventId = lastEventId(exchange);
        if (accept.contains(SERVER_SENT)) {
            send(job, true, new Sending(exchange.stream(SERVER_SENT, Map.of()), true, lastEventId));
        } else if (accept.contains(LINES)) {
            long after = Queries.read(exchange, EventRoutes::after);
            send(job, follow, new Sending(exchange.stream(LINES, Map.of()), false, after));
        } else {
            page(exchange, job);
        }
    }

    private void page(Exchange exchange, JobId job) {
        Part part =
                Queries.read(exchange, query -> new Part(after(query), query.number("limit", 1, LARGEST_PAGE, PAGE)));
        List<EventDocument> items = store.events(job, part.after(), part.limit()).stream()
                .map(EventDocuments::of)
                .toList();
        Optional<String> next = items.size() < part.limit()
                ? Optional.empty()
                : Optional.of(Long.toString(items.getLast().seq()));
        exchange.send(200, new Page<>(items, next));
    }

    private void send(JobId job, boolean follow, Sending sending) throws IOException {
        if (follow) {
            following.follow(job, new Following.Source() {
                @Override
                public boolean sendNews() throws IOException {
                    // Asked before the events, so that none of a final job can be missed.
                    boolean over = store.find(job)
                            .map(JobRecord::state)
                            .filter(state -> !state.isFinal())
                            .isEmpty();
                    sending.all(job);
                    return !over;
                }

                @Override
                public void sendHeartbeat() throws IOException {
                    sending.heartbeat();
                }
            });
        } else {
            sending.all(job);
        }
        sending.lines.end();
    }

    private record Part(long after, int limit) {}

    private static long after(Queries query) {
        return query.number("after", 0, Long.MAX_VALUE).orElse(0);
    }

    private static long lastEventId(Exchange exchange) {
        Optional<String> last = exchange.header("Last-Event-ID");
        if (last.isEmpty()) {
            return Queries.read(exchange, EventRoutes::after);
        }
        try {
            return Long.parseLong(last.get());
        } catch (NumberFormatException notOurs) {
            throw ProblemException.invalid("Last-Event-ID", "Last-Event-ID must be the id of an event");
        }
    }

    /** Events on their way to one client. */
    private final class Sending {
        private final LineStream lines;
        private final boolean serverSent;
        private long after;
        private boolean begun;

        Sending(OutputStream out, boolean serverSent, long after) {
            this.lines = new LineStream(out);
            this.serverSent = serverSent;
            this.after = after;
        }

        void all(JobId job) throws IOException {
            List<Event> events;
            do {
                events = store.events(job, after, AT_ONCE);
                for (Event event : events) {
                    String document = EventDocuments.of(event).toJson().toString();
                    lines.line(serverSent ? "id: " + event.seq() + "\ndata: " + document + "\n" : document);
                    after = event.seq();
                }
                begun |= !events.isEmpty();
                lines.flush();
            } while (events.size() == AT_ONCE);
            if (!begun) {
                // So that the client sees the answer begin.
                begun = true;
                heartbeat();
            }
        }

        void heartbeat() throws IOException {
            lines.line(serverSent ? ":\n" : "");
            lines.flush();
        }
    }
}
