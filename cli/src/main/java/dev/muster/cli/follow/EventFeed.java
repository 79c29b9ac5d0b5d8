package dev.muster.cli.follow;

import dev.muster.api.EventDocument;
import dev.muster.cli.client.Answer;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Query;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;

/** Every event once, in order. */
final class EventFeed extends Feed {
    /** Costs little to ask again, as only what is new comes. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private long seen;

    EventFeed(Api api, String job, Consumer<Sight> sights) {
        super(Kind.EVENTS, api, job, sights);
    }

    @Override
    protected Answer open() {
        Query query = new Query().put("follow", "true");
        return api.events(job, seen == 0 ? query : query.put("after", Long.toString(seen)), SILENCE);
    }

    @Override
    protected void read(InputStream in) throws IOException {
        JsonLines.read(in, json -> {
            EventDocument event = EventDocument.of(json);
            if (event.seq() > seen) {
                seen = event.seq();
                see(new Sight.Event(json, event));
            }
        });
    }
}
