package dev.muster.store;

import dev.muster.model.Event;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.model.ModelVersion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which changes of a record are legal, whoever asks for them. */
final class Steps {
    private Steps() {}

    static void checkAccepted(JobRecord job) {
        if (job.version() != 1
                || JobTransition.between(Optional.empty(), job.state()).isEmpty()) {
            throw new IllegalStateException("job " + job.id() + " cannot be accepted as version " + job.version()
                    + " in state " + job.state().text());
        }
    }

    /** What a final record keeps for ever. */
    record End(Status status, Optional<Instant> finishedAt, Optional<ModelVersion> model) {
        static End of(JobRecord job) {
            return new End(job.status(), job.times().finishedAt(), job.model());
        }
    }

    static void check(End stored, JobRecord next, List<Event> events) {
        JobState from = stored.status().state();
        if (from != next.state()
                && JobTransition.between(Optional.of(from), next.state()).isEmpty()) {
            throw new IllegalStateException("job " + next.id() + " cannot go from " + from.text() + " to "
                    + next.state().text());
        }
        if (from.isFinal() && !stored.equals(End.of(next))) {
            throw new IllegalStateException("job " + next.id() + " is " + from.text() + " and stays as it is");
        }
        for (Event event : events) {
            if (!event.job().equals(next.id())) {
                throw new IllegalStateException("an event of job " + event.job() + " in a step of job " + next.id());
            }
        }
    }

    /** The latest time in a record that its service's clock gave; what lies ahead and what other hosts' clocks gave is left out. */
    static Instant latest(JobRecord job, List<Event> events) {
        Stream<Optional<Instant>> times = Stream.of(
                Optional.of(job.times().submittedAt()),
                Optional.of(job.times().queuedAt()),
                job.times().admittedAt(),
                job.times().startedAt(),
                job.times().finishedAt(),
                job.times().runningSince(),
                job.times().stopAskedAt(),
                job.status().noContactSince());
        return Stream.concat(times.flatMap(Optional::stream), events.stream().map(Event::at))
                .max(Instant::compareTo)
                .orElseThrow();
    }
}
