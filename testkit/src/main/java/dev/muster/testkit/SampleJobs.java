package dev.muster.testkit;

import dev.muster.model.Attempt;
import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Event;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Counters;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobRecord.Times;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.Keep;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Resources;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RoleSpec;
import dev.muster.model.SuccessPolicy;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plain jobs for tests: workers that run {@code true}, nothing else asked for. */
public final class SampleJobs {
    /** A time for tests; nothing depends on which. */
    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456789Z");

    private SampleJobs() {}

    public static JobSpec spec(String name, int workers) {
        RoleSpec role = new RoleSpec(
                workers, false, new Command.Exec(List.of("true")), Map.of(), Resources.NONE, EnvironmentSpec.NONE);
        return spec(name, FrameworkKind.PLAIN, Map.of(JobSpec.WORKER, role), "default", 0);
    }

    public static JobSpec spec(
            String name, FrameworkKind framework, Map<String, RoleSpec> roles, String queue, int priority) {
        return new JobSpec(
                name,
                framework,
                BackendKind.LOCAL,
                new LinkedHashMap<>(roles),
                1,
                Optional.empty(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                CheckpointPolicy.DEFAULT,
                new SuccessPolicy.Default(),
                RestartPolicy.NEVER,
                Optional.empty(),
                0,
                Limits.DEFAULT,
                queue,
                priority,
                false,
                Keep.DEFAULT,
                Options.DEFAULT);
    }

    /** A job as it is accepted: Queued, version 1, of owner {@code ann}. */
    public static JobRecord queued(String id, JobSpec spec, Instant at) {
        Origin origin =
                new Origin("ann", "/home/ann/job", Optional.empty(), Optional.empty(), "/usr/bin:/bin", Map.of());
        return new JobRecord(
                new JobId(id),
                spec,
                origin,
                Status.of(JobState.QUEUED),
                Counters.ZERO,
                Times.acceptedAt(at),
                Placement.NONE,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                1);
    }

    public static JobRecord queued(String id, String name) {
        return queued(id, spec(name, 2), NOON);
    }

    /** The next version of the record with another status. */
    public static JobRecord next(JobRecord job, Status status) {
        return next(job, status, job.processes());
    }

    public static JobRecord next(JobRecord job, JobState state) {
        return next(job, Status.of(state));
    }

    /** The next version of the record with another status and other attempts. */
    public static JobRecord next(JobRecord job, Status status, List<Attempt> processes) {
        return new JobRecord(
                job.id(),
                job.spec(),
                job.origin(),
                status,
                job.counters(),
                job.times(),
                job.placement(),
                job.resumeFrom(),
                processes,
                job.model(),
                job.version() + 1);
    }

    /** The event of a job's step. */
    public static Event event(JobRecord from, JobState to, Instant at) {
        return new Event(
                from.id(),
                0,
                at,
                Optional.empty(),
                Optional.of(from.state().text()),
                to.text(),
                Optional.empty(),
                Optional.empty());
    }
}
