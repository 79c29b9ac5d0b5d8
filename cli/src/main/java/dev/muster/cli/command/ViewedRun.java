package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.JobFollower;
import dev.muster.cli.follow.Sight;
import dev.muster.cli.screen.EndPage;
import dev.muster.cli.screen.JobView;
import dev.muster.cli.screen.LiveView;
import dev.muster.cli.screen.Phases;
import dev.muster.cli.screen.PlainView;
import dev.muster.cli.screen.Style;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Follows a job for a person: state, progress and output as they come, the result at the end. */
final class ViewedRun {
    private static final Duration TURN = Duration.ofMillis(100);

    private final Session session;
    private final String id;
    private final JobView view;
    private final Phases phases = new Phases();
    private volatile Optional<JobDocument> job = Optional.empty();

    ViewedRun(Session session, String id) {
        this.session = session;
        this.id = id;
        this.view = session.screen().canDraw()
                ? new LiveView(session.out(), session.screen(), session.api().time())
                : new PlainView(session.out(), ZoneId.systemDefault());
    }

    ExitCode follow(boolean cancel) {
        Set<Feed.Kind> feeds = EnumSet.allOf(Feed.Kind.class);
        boolean local = session.server().isEmpty();
        try (view;
                RunInterrupt interrupt = new RunInterrupt(session, id, this::state, cancel, this::leave, view::say);
                JobFollower follower = new JobFollower(session.api(), id, feeds, Optional.empty(), local)) {
            session.noteTo(view::say);
            view.say("job " + id);
            Set<Feed.Kind> open = EnumSet.copyOf(feeds);
            while (!open.isEmpty()) {
                Optional<Sight> sight = follower.next(TURN);
                if (sight.isPresent()) {
                    take(sight.get(), open);
                } else {
                    view.tick();
                }
            }
            leave();
            return interrupt.ended(end());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.DETACHED;
        } finally {
            session.noteToError();
        }
    }

    /** As it was last seen; empty before that. */
    String state() {
        return job.map(JobDocument::state).orElse("");
    }

    /** What is said from now on is not drawn. */
    private void leave() {
        view.close();
        session.noteToError();
    }

    private void take(Sight sight, Set<Feed.Kind> open) {
        switch (sight) {
            case Sight.Job seen -> job = Optional.of(seen.document());
            case Sight.Event event -> phases.add(event.document());
            case Sight.Ended(Feed.Kind feed) -> open.remove(feed);
            case Sight.Broken(Failure failure) -> {
                leave();
                session.notes()
                        .say("no longer following " + id + "; the job goes on. Come back with: muster logs -f " + id);
                throw failure;
            }
            case Sight.Output _ -> {
                // Only shown.
            }
            case Sight.Lost _ -> {
                // Only shown.
            }
            case Sight.Found _ -> {
                // Only shown.
            }
        }
        view.show(sight);
    }

    private ExitCode end() {
        JobDocument end =
                job.filter(JobDocument::isFinal).orElseGet(() -> session.api().jobDocument(id));
        EndPage page = new EndPage(
                session.screen().canDraw() ? new Style(true) : Style.PLAIN,
                session.screen().columns(),
                session.called());
        page.write(end, phases, session.out()::line);
        Optional<ProcessDocument> failed = EndPage.failed(end);
        if (end.state().equals("Failed") && failed.isPresent()) {
            page.writeFailure(end, failed.get(), LastOutput.of(session.api(), id, failed.get()), session.out()::line);
        } else if (end.state().equals("Failed")) {
            page.writeFailure(end, session.out()::line);
        }
        session.out().flush();
        return ExitCode.ofFinalState(end.state());
    }
}
