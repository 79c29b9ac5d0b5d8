package dev.muster.server.jobs;

import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.ProcessDocument;
import dev.muster.api.ProgressDocument;
import dev.muster.api.StragglerDocument;
import dev.muster.control.Jobs;
import dev.muster.control.decide.Straggler;
import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ModelVersion;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.server.jobs.JobFacts.Facts;
import dev.muster.server.jobs.JobFacts.Ranks;
import dev.muster.spi.Telemetry.Pace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Turns jobs into the documents that clients see. */
final class JobDocuments {
    private final JobFacts facts;

    JobDocuments(JobFacts facts) {
        this.facts = facts;
    }

    JobDocument of(Jobs.View view) {
        JobRecord job = view.job();
        Facts known = facts.of(job);
        List<ProcessDocument> processes = job.processes().stream()
                .map(attempt -> process(
                        attempt,
                        known.ranks().getOrDefault(attempt.name(), Ranks.NONE),
                        Optional.ofNullable(view.going().paces().get(attempt.name()))))
                .toList();
        return new JobDocument(
                job.id().value(),
                job.spec().name(),
                job.origin().owner(),
                job.origin().project(),
                job.state().text(),
                view.cause().map(Cause::text),
                view.reason(),
                job.status().noContactSince().or(view::unattended),
                job.counters().attempt(),
                job.counters().restarts(),
                job.spec().framework().text(),
                job.spec().backend().text(),
                job.spec().queue(),
                view.queuePosition(),
                job.spec().priority(),
                job.times().submittedAt(),
                job.times().startedAt(),
                job.times().finishedAt(),
                progress(view.progress(), job.state()),
                view.badRecords(),
                processes,
                job.model().map(JobDocuments::model),
                view.going().warning(),
                view.going().straggler().map(JobDocuments::straggler),
                known.json());
    }

    private static ProcessDocument process(Attempt attempt, Ranks ranks, Optional<Pace> pace) {
        ProcessName name = attempt.name();
        Optional<Attempt.Exit> exit = attempt.exit();
        return new ProcessDocument(
                name.toString(),
                name.role(),
                name.index(),
                ranks.rank(),
                ranks.localRank(),
                attempt.state().text(),
                exit.isPresent() ? exit.get().code() : OptionalInt.empty(),
                exit.flatMap(Attempt.Exit::signal),
                exit.flatMap(Attempt.Exit::reason),
                attempt.attempt(),
                attempt.address(),
                attempt.pid(),
                attempt.startedAt(),
                finishedAt(attempt),
                pace.map(known -> OptionalLong.of(known.step())).orElse(OptionalLong.empty()),
                pace.flatMap(Pace::rhythm)
                        .map(rhythm -> OptionalDouble.of(rhythm.step().toNanos() / 1e9))
                        .orElse(OptionalDouble.empty()));
    }

    private static StragglerDocument straggler(Straggler straggler) {
        return new StragglerDocument(straggler.process().toString(), straggler.reason());
    }

    private static Optional<Instant> finishedAt(Attempt attempt) {
        return attempt.exit().map(Attempt.Exit::at);
    }

    /** How long is left is known only of a job that runs. */
    private static ProgressDocument progress(Progress progress, JobState state) {
        return new ProgressDocument(
                progress.step(),
                progress.total(),
                progress.epoch(),
                progress.metrics(),
                state == JobState.RUNNING ? progress.etaSeconds() : OptionalDouble.empty());
    }

    private static ModelReference model(ModelVersion model) {
        return new ModelReference(model.name(), model.version(), model.digest());
    }
}
