package dev.muster.cli.command;

import dev.muster.api.EventDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Query;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.JobFollower;
import dev.muster.cli.follow.JsonLines;
import dev.muster.cli.follow.Sight;
import dev.muster.cli.screen.EventTable;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code events ID}: every step of the job and of its processes, in order. */
public final class EventsCommand implements Command {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Duration TURN = Duration.ofSeconds(1);

    @Override
    public Syntax syntax() {
        return Syntax.of("events", "every step of a job and of its processes, in order")
                .operand("ID", Options.JOB)
                .option(Options.FOLLOW);
    }

    @Override
    public ExitCode run(Session session) {
        String id = session.api().jobDocument(session.arguments().operand(0)).id();
        return session.arguments().has("--follow") ? follow(session, id) : list(session, id);
    }

    private static ExitCode list(Session session, String id) {
        List<JsonFields> events = new ArrayList<>();
        try (InputStream in = session.api().events(id, new Query(), SILENCE).content()) {
            JsonLines.read(in, events::add);
        } catch (IOException broken) {
            throw Failure.notReached("the events broke off: " + broken.getMessage() + "; ask again");
        }
        if (session.json()) {
            session.write(Json.object()
                    .put("items", new Json.Items(List.copyOf(events)))
                    .put("next", Json.NULL)
                    .build());
        } else {
            EventTable table = new EventTable(ZoneId.systemDefault());
            table.write(
                    events.stream().map(EventDocument::of).toList(),
                    session.screen().columns(),
                    session.out()::line);
        }
        return ExitCode.DONE;
    }

    private static ExitCode follow(Session session, String id) {
        EventTable table = new EventTable(ZoneId.systemDefault());
        try (JobFollower follower = new JobFollower(session.api(), id, Set.of(Feed.Kind.EVENTS))) {
            while (true) {
                Optional<Sight> sight = follower.next(TURN);
                if (sight.isPresent() && sight.get() instanceof Sight.Ended) {
                    return ExitCode.DONE;
                }
                if (sight.isPresent() && sight.get() instanceof Sight.Broken(Failure failure)) {
                    throw failure;
                }
                if (sight.isPresent() && sight.get() instanceof Sight.Event(JsonFields json, EventDocument event)) {
                    session.out()
                            .line(
                                    session.json()
                                            ? json.toString()
                                            : table.line(event, session.screen().columns()));
                    session.out().flush();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.DETACHED;
        }
    }
}
