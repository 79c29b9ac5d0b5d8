package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.base.Failure;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.JobFollower;
import dev.muster.cli.follow.Sight;
import dev.muster.formats.json.JsonFields;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Waits for the end of a job, or for a state before it. */
final class JobWait {
    private static final Duration LONGEST_TURN = Duration.ofSeconds(1);

    private JobWait() {}

    /** The final job. */
    static JsonFields untilFinal(Session session, String job) {
        return untilFinal(session, job, "live", Optional.empty());
    }

    /** The job once it is suspended, or final because it ended first. */
    static JsonFields untilSuspended(Session session, String job) {
        return until(session, job, "not suspended", Optional.empty(), JobWait::isSuspended);
    }

    static boolean isSuspended(JobDocument job) {
        return job.isFinal() || job.state().equals("Suspended");
    }

    /**
     * The final job.
     *
     * @param state   in which it was last seen
     * @throws Failure when it is not final in time; then with exit code 7
     */
    static JsonFields untilFinal(Session session, String job, String state, Optional<Duration> timeout) {
        return until(session, job, state, timeout, JobDocument::isFinal);
    }

    private static JsonFields until(
            Session session, String job, String seen, Optional<Duration> timeout, Predicate<JobDocument> reached) {
        long start = System.nanoTime();
        String state = seen;
        try (JobFollower follower = new JobFollower(session.api(), job, Set.of(Feed.Kind.JOB))) {
            while (true) {
                Duration left =
                        timeout.isPresent() ? timeout.get().minusNanos(System.nanoTime() - start) : LONGEST_TURN;
                Optional<Sight> sight = follower.next(left.compareTo(LONGEST_TURN) < 0 ? left : LONGEST_TURN);
                if (sight.isPresent() && sight.get() instanceof Sight.Broken(Failure failure)) {
                    throw failure;
                }
                if (sight.isPresent() && sight.get() instanceof Sight.Job now) {
                    state = now.document().state();
                    if (reached.test(now.document())) {
                        return now.json();
                    }
                }
                if (sight.isEmpty() && timeout.isPresent() && left.compareTo(LONGEST_TURN) <= 0) {
                    throw Failure.timedOut(job + " is " + state + " after the time given; it goes on");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.notReached("interrupted while waiting for " + job);
        }
    }
}
