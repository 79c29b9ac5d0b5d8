package dev.muster.cli.command;

import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.JobFollower;
import dev.muster.cli.follow.Sight;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Follows a job for a script: the job whenever it changes, an object a line. */
final class JsonRun {
    private static final Duration TURN = Duration.ofSeconds(1);

    private final Session session;
    private final String id;
    private volatile String state = "";

    JsonRun(Session session, String id) {
        this.session = session;
        this.id = id;
    }

    /** As it was last seen; empty before that. */
    String state() {
        return state;
    }

    ExitCode follow(boolean cancel) {
        try (RunInterrupt interrupt = new RunInterrupt(session, id, this::state, cancel, () -> {}, line -> {});
                JobFollower follower = new JobFollower(session.api(), id, Set.of(Feed.Kind.JOB))) {
            while (true) {
                Optional<Sight> sight = follower.next(TURN);
                if (sight.isPresent() && sight.get() instanceof Sight.Broken(Failure failure)) {
                    throw failure;
                }
                if (sight.isPresent() && sight.get() instanceof Sight.Job seen) {
                    state = seen.document().state();
                    session.write(seen.json());
                    if (seen.document().isFinal()) {
                        return interrupt.ended(
                                ExitCode.ofFinalState(seen.document().state()));
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.DETACHED;
        }
    }
}
