package dev.muster.control;

import dev.muster.control.decide.Commands;
import dev.muster.control.decide.Commands.Ruling;
import dev.muster.control.decide.Demand;
import dev.muster.control.schedule.QueueView;
import dev.muster.control.schedule.Standing;
import dev.muster.model.Amount;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.ModelVersion;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.Progress;
import dev.muster.model.Site;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What may be asked of the control plane. Each request is ruled on under the job's own serialisation, so it cannot race with what happens
 * to the job. Any thread may call; a call returns once its change is durable and waits for nothing else.
 */
public final class Jobs {
    private final Ports ports;
    private final Surroundings surroundings;
    private final Reconciler reconciler;
    private final Unattended unattended;

    public Jobs(Ports ports, Surroundings surroundings, Reconciler reconciler) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.reconciler = reconciler;
        this.unattended = new Unattended(ports.store().leases(), surroundings.clock(), reconciler.sites());
    }

    /** Answer to {@link #accept}. */
    public sealed interface Submission {
        /** Stored as a new job. */
        record Accepted(JobId id) implements Submission {}

        /** The idempotency key has given this job before. */
        record Same(JobId id) implements Submission {}

        /** A live job of this name exists. */
        record NameTaken(JobId by) implements Submission {}

        /** Nothing was stored. */
        record Refused(List<Problem> problems) implements Submission {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Answer to a request about one job. */
    public sealed interface Result {
        /** It is so now, or was so before. */
        record Done() implements Result {}

        /** The job's state does not allow it; nothing was changed. */
        record Refused(String reason) implements Result {}

        /** The changed text is wrong; nothing was changed. */
        record Wrong(List<Problem> problems) implements Result {
            public Wrong {
                problems = List.copyOf(problems);
            }
        }

        record NotFound() implements Result {}
    }

    /**
     * A job as it stands.
     *
     * @param job           its record
     * @param progress      as last said
     * @param badRecords    as last said
     * @param standing      where it stands in its queue and why, while it waits
     * @param activity      what is being done for it just now
     * @param going         how its group goes on, while it runs
     * @param unattended    since when no replica of the service follows it, as the one that could is silent or was stopped
     */
    public record View(
            JobRecord job,
            Progress progress,
            long badRecords,
            Optional<Standing> standing,
            Optional<String> activity,
            Optional<String> contact,
            Going going,
            Optional<Instant> unattended) {
        /** Why it waits, is tried again, or failed: a job that is kept waiting has one. */
        public Optional<Cause> cause() {
            return job.status().cause().or(() -> standing.filter(Standing::held).map(waits -> Cause.UNSCHEDULABLE));
        }

        /**
         * One sentence that starts with the cause where there is one. Of a job that waits it is worked out when it is asked for, as it
         * changes with every other job; of one that is prepared, what is being done for it is the best reason there is.
         */
        public Optional<String> reason() {
            Optional<String> stored = job.status().reason();
            Optional<Instant> lost = job.status().noContactSince();
            if (lost.isPresent() && contact.isPresent() && unattended.isEmpty()) {
                String silent = "no contact with the backend since "
                        + lost.get().truncatedTo(ChronoUnit.SECONDS) + ": " + contact.get();
                return Optional.of(stored.map(reason -> reason + "; " + silent).orElse(silent));
            }
            if (unattended.isPresent()) {
                String silent = "no service follows jobs on " + Site.of(job) + " now"
                        + activity.map(why -> " (" + why + ")").orElse("")
                        + "; what is told here is as the last one left it";
                return Optional.of(stored.map(reason -> reason + "; " + silent).orElse(silent));
            }
            if (standing.isEmpty()) {
                return stored.or(() -> activity);
            }
            String why = standing.get().why();
            return Optional.of(
                    job.status().cause().isPresent() && stored.isPresent()
                            ? stored.get() + "; now it " + why
                            : standing.get().held() ? Cause.UNSCHEDULABLE.because(why) : why);
        }

        /** From 1, while it waits. */
        public OptionalInt queuePosition() {
            return standing.isPresent() ? OptionalInt.of(standing.get().place()) : OptionalInt.empty();
        }
    }

    /** What is wrong with the job in the eyes of its framework, its backend and its capacity; empty when nothing is. */
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        if (!ports.frameworks().containsKey(spec.framework())) {
            problems.add(Problem.of("framework", spec.framework().text() + " is not available in this service"));
        } else {
            problems.addAll(ports.framework(spec).check(spec));
        }
        Backend backend = ports.backends().get(spec.backend());
        if (backend == null) {
            problems.add(Problem.of(
                    "backend",
                    spec.backend().text() + " is not available in this service",
                    ports.backends().keySet().stream()
                            .map(BackendKind::text)
                            .sorted()
                            .collect(Collectors.joining(", ", "it has ", ""))));
        } else {
            problems.addAll(backend.check(spec));
            problems.addAll(Demand.tooLarge(spec, backend.capacity()));
        }
        problems.addAll(reconciler.board().check(spec.queue(), Demand.of(spec)));
        return problems;
    }

    private Map<String, String> withGroupSecret(JobSpec spec, Map<String, String> secrets) {
        if (!spec.framework().hasGroupSecret()) {
            return secrets;
        }
        Map<String, String> all = new HashMap<>(secrets);
        all.put(JobSpec.GROUP_SECRET, surroundings.ids().secret());
        return all;
    }

    /**
     * Accepts a job. Once this has returned the job is not lost.
     *
     * @param secrets values by variable of the processes
     * @param key     idempotency key of the owner
     */
    public Submission accept(JobSpec spec, Origin origin, Map<String, String> secrets, Optional<String> key) {
        List<Problem> problems = check(spec);
        if (!problems.isEmpty()) {
            return new Submission.Refused(problems);
        }
        Instant now = surroundings.clock().now();
        JobRecord job = new JobRecord(
                surroundings.ids().take(),
                spec,
                origin.on(surroundings.replica().host()),
                JobRecord.Status.of(spec.suspended() ? JobState.SUSPENDED : JobState.QUEUED),
                JobRecord.Counters.ZERO,
                JobRecord.Times.acceptedAt(now),
                Placement.NONE,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                1);
        JobStore.Accepted answer;
        try {
            answer = ports.store().accept(job, withGroupSecret(spec, secrets), key);
        } catch (RuntimeException e) {
            reconciler.wake(job.id()); // it may be stored all the same
            throw e;
        }
        return switch (answer) {
            case JobStore.Accepted.New accepted -> {
                reconciler.adopt(job);
                yield new Submission.Accepted(accepted.id());
            }
            case JobStore.Accepted.Same same -> new Submission.Same(same.id());
            case JobStore.Accepted.NameTaken taken -> new Submission.NameTaken(taken.by());
        };
    }

    /** Cancels; a final job stays as it is, and so does one whose model is registered already: it becomes Succeeded. */
    public Result cancel(JobId id) {
        return command(id, cell -> {
            Optional<ModelVersion> visible =
                    cell.job().state() == JobState.PUBLISHING ? ports.models().of(id) : Optional.empty();
            return Commands.cancel(cell.snapshot(), surroundings.clock().now(), visible.isPresent());
        });
    }

    public Result suspend(JobId id) {
        return command(
                id,
                cell -> Commands.suspend(cell.snapshot(), surroundings.clock().now()));
    }

    /**
     * Sends a job back to the queue to make room for another; it is asked to save first. Nothing happens to one that holds none.
     *
     * @param reason for whom, in a few words
     */
    public Result preempt(JobId id, String reason) {
        return command(
                id,
                cell -> Commands.preempt(
                        cell.snapshot(), reason, surroundings.clock().now()));
    }

    /**
     * Sends a suspended job back to the queue.
     *
     * @param changed its whole changed specification, already consistent; name, framework and backend stay
     */
    public Result resume(JobId id, Optional<JobSpec> changed) {
        Optional<JobRecord> job = ports.store().find(id);
        if (job.isPresent() && changed.isPresent()) {
            List<Problem> problems = new ArrayList<>(unchangeable(job.get().spec(), changed.get()));
            problems.addAll(check(changed.get()));
            if (!problems.isEmpty()) {
                return new Result.Wrong(problems);
            }
        }
        return command(
                id,
                cell -> Commands.resume(
                        cell.snapshot(), changed, surroundings.clock().now()));
    }

    /**
     * Changes how many workers an elastic job is to have. Those beyond the number leave, those that are lacking come when there is room;
     * refused is what its bounds forbid, and what could never fit.
     */
    public Result scale(JobId id, String role, int count) {
        return command(id, cell -> {
            Ruling ruling = Commands.scale(
                    cell.snapshot(), role, count, surroundings.clock().now());
            return ruling instanceof Ruling.Change
                    ? tooLarge(cell.job().spec(), count).orElse(ruling)
                    : ruling;
        });
    }

    private Optional<Ruling> tooLarge(JobSpec spec, int workers) {
        Capacity demand = Demand.of(spec.withWorkers(workers));
        List<Problem> problems = new ArrayList<>(
                Demand.tooLarge(spec.withWorkers(workers), ports.backend(spec).capacity()));
        problems.addAll(reconciler.board().check(spec.queue(), demand));
        return problems.stream()
                .findFirst()
                .map(problem ->
                        new Ruling.Refuse("it could never have " + Amount.workers(workers) + ": " + problem.message()));
    }

    /** Removes an ended job with everything of it but registered models; refused where only another host reaches that. */
    public Result delete(JobId id) throws BackendException, IOException {
        Optional<JobRecord> job = ports.store().find(id);
        if (job.isEmpty()) {
            return new Result.NotFound();
        }
        if (!job.get().state().isFinal()) {
            return new Result.Refused("it has not ended: " + job.get().state().text());
        }
        if (!isHere(job.get())) {
            return elsewhere(job.get());
        }
        reconciler.removal().delete(job.get());
        return new Result.Done();
    }

    /**
     * Whether what the job prints and leaves is here to be read; refused where only another host has it. What an ended job left was fetched by whoever
     * drove it, so its backend is not needed any more.
     */
    public Result files(JobId id) {
        return ports.store()
                .find(id)
                .map(job -> isHere(job)
                                || job.state().isFinal() && surroundings.files().areHere(id)
                        ? new Result.Done()
                        : elsewhere(job))
                .orElseGet(Result.NotFound::new);
    }

    private boolean isHere(JobRecord job) {
        return reconciler.sites().reaches(Site.of(job));
    }

    private Result elsewhere(JobRecord job) {
        if (!ports.backends().containsKey(job.spec().backend())) {
            return new Result.Refused(Elsewhere.noBackend(job.spec()));
        }
        return new Result.Refused("what it left is on " + Site.of(job) + "; ask the replica there");
    }

    /**
     * Removes a job whose record cannot be read, and ends what runs of it: nothing else can be done about it.
     *
     * @return false when it can be read, or is not there; nothing was changed then
     */
    public boolean discardUnreadable(JobId id) throws IOException {
        return reconciler.removal().discard(id);
    }

    /** The job as it stands. */
    public Optional<View> get(JobId id) {
        return ports.store().find(id).map(this::view);
    }

    /** What belongs to a record beside it. */
    public View view(JobRecord job) {
        Optional<JobStore.Seen> seen = ports.store().progress(job.id());
        return new View(
                job,
                seen.map(JobStore.Seen::progress).orElse(Progress.NONE),
                seen.map(JobStore.Seen::badRecords).orElse(0L),
                reconciler.board().standing(job.id(), surroundings.clock().now()),
                activity(job),
                contact(job),
                going(job),
                unattended.since(job));
    }

    /** Every queue that is configured or used, by name. */
    public List<QueueView> queues() {
        return reconciler.board().queues(surroundings.clock().now());
    }

    private Going going(JobRecord job) {
        return reconciler
                .cells()
                .known(job.id())
                .map(cell -> Going.of(
                        job,
                        cell.snapshot().plan(),
                        ports.telemetry().signs(job.id()),
                        cell.cores.wanted(),
                        cell.lastLook.map(Cell.Look::sightings).orElse(Map.of()),
                        surroundings.clock().now()))
                .orElse(Going.NOTHING);
    }

    private Optional<String> contact(JobRecord job) {
        return reconciler.cells().known(job.id()).flatMap(cell -> cell.lastLook).flatMap(Cell.Look::contact);
    }

    private Optional<String> activity(JobRecord job) {
        if (job.state() == JobState.QUEUED
                && reconciler.sites().lease(Site.of(job)).isEmpty()) {
            return Optional.of("waits on " + Site.of(job) + ", which another replica drives");
        }
        if (!ports.backends().containsKey(job.spec().backend())
                && unattended.since(job).isPresent()) {
            return Optional.of(Elsewhere.noBackend(job.spec()));
        }
        return reconciler.cells().known(job.id()).flatMap(cell -> cell.preparation.activity());
    }

    private Result command(JobId id, Function<Cell, Ruling> request) {
        return reconciler
                .command(id, request)
                .<Result>map(ruling -> switch (ruling) {
                    case Ruling.Change ignored -> new Result.Done();
                    case Ruling.Nothing ignored -> new Result.Done();
                    case Ruling.Refuse refuse -> new Result.Refused(refuse.reason());
                })
                .orElse(new Result.NotFound());
    }

    private static List<Problem> unchangeable(JobSpec before, JobSpec after) {
        List<Problem> problems = new ArrayList<>();
        if (!before.name().equals(after.name())) {
            problems.add(Problem.of("name", "the name of a job stays " + before.name()));
        }
        if (before.framework() != after.framework()) {
            problems.add(Problem.of(
                    "framework",
                    "the framework of a job stays " + before.framework().text()));
        }
        if (before.backend() != after.backend()) {
            problems.add(Problem.of(
                    "backend", "the backend of a job stays " + before.backend().text()));
        }
        return problems;
    }
}
