package dev.muster.control;

import dev.muster.control.decide.Demand;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.spi.JobStore;
import dev.muster.spi.Launch;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.SampleJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One scenario and calls that go wrong, in virtual time: one queue of all that happens, and after each event what must always hold. Then the
 * faults stop, and every job has to come to its one right end.
 */
final class Simulation {
    private static final Duration PATIENCE = Duration.ofHours(2);
    private static final Duration AFTER_ALL = Duration.ofSeconds(75);
    /** After so long without faults nothing runs that nobody waits for: starts that were on their way are there, and orphans were looked for. */
    private static final Duration TIDIED = Duration.ofSeconds(90);

    private static final int MOST_EVENTS = 200_000;

    private final Scenario scenario;
    private final FaultPlan plan;
    private final World world = new World();
    private final Agenda agenda = new Agenda(world.clock);
    private final Instant begin = world.clock.now();
    private final Invariants invariants = new Invariants(world);
    private final Map<String, Submission> submissions = new HashMap<>();
    private final Set<JobId> jobs = new LinkedHashSet<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final Set<String> accepted = new TreeSet<>();
    private final List<Note> history = new ArrayList<>();
    private final List<Incident.AskedWhen> armed = new ArrayList<>();
    private final Dice dice;
    private Instant contactAgain = begin;
    private boolean faulty = true;
    private int open;
    private Optional<Instant> lookAt = Optional.empty();

    private final Map<JobId, BrokenRow> rows = new HashMap<>();

    private record BrokenRow(Faults.RowFault how, Instant until) {}

    private record Note(Instant at, Object what) {
        @Override
        public String toString() {
            return "%9d ms  %s".formatted(Duration.between(SampleJobs.NOON, at).toMillis(), what);
        }
    }

    Simulation(Scenario scenario, FaultPlan plan) {
        this.scenario = scenario;
        this.plan = plan;
        dice = Dice.of(scenario.seed(), "pace", 0);
        scenario.submissions().forEach(submission -> submissions.put(submission.name(), submission));
        world.reconciler.release();
        world.backend.capacity(scenario.capacity());
        world.configure(scenario.queues());
        world.backend.script(this::behaviour);
        world.models.missing(id -> submission(id).emptyModel());
        for (int number = 0; number < scenario.replicas(); number++) {
            replicas.add(new Replica(
                    world, this, Dice.of(scenario.seed(), "replica", number), scenario.calm(), identity(number)));
        }
    }

    private ThisReplica identity(int number) {
        return scenario.replicas() == 1
                ? ThisReplica.ALONE
                : new ThisReplica("replica-" + number, Optional.empty(), Duration.ofSeconds(15));
    }

    static Simulation of(long seed) {
        return new Simulation(Scenario.of(seed), FaultPlan.drawn(seed));
    }

    Scenario scenario() {
        return scenario;
    }

    /** The calls that went wrong. */
    List<Fault> injected() {
        return plan.injected();
    }

    private Submission submission(JobId id) {
        return submissions.get(world.job(id).spec().name());
    }

    private FakeProcess behaviour(ProcessKey key) {
        return submission(key.job()).behaviour(key);
    }

    /** Runs it to its end; an {@link AssertionError} tells what did not hold. */
    void run() {
        replicas.forEach(this::boot);
        scenario.submissions().forEach(submission -> {
            open++;
            agenda.at(begin.plus(submission.at()), () -> submit(submission, 0));
        });
        for (Incident incident : scenario.incidents()) {
            agenda.at(begin.plus(incident.at()), () -> happens(incident));
        }
        agenda.at(begin.plus(scenario.horizon()), this::faultsEnd);
        Instant bound = begin.plus(scenario.horizon()).plus(PATIENCE);
        int events = 0;
        while (busy()) {
            step();
            if (world.clock.now().isAfter(bound) || ++events > MOST_EVENTS) {
                throw new AssertionError("these never end: "
                        + jobs.stream()
                                .map(world::job)
                                .filter(job -> !job.state().isFinal())
                                .toList());
            }
        }
        Instant end = world.clock.now().plus(AFTER_ALL);
        agenda.at(end, () -> {});
        while (world.clock.now().isBefore(end)) {
            step();
        }
        invariants.checkAfterAll(jobs, accepted);
    }

    private void step() {
        replicas.forEach(replica -> replica.plan(agenda, world.clock.now()));
        lookForChanges();
        if (!agenda.next()) {
            throw new AssertionError("nothing will ever happen again");
        }
        world.backend.tick();
        armed.removeIf(this::fires);
        world.store.live().forEach(job -> jobs.add(job.id()));
        if (faulty) {
            invariants.troubleUntil(world.clock.now());
        }
        replicas.forEach(replica -> invariants.troubleUntil(replica.awayUntil()));
        invariants.check(jobs);
    }

    private boolean busy() {
        return faulty
                || open > 0
                || jobs.stream().anyMatch(id -> !world.job(id).state().isFinal());
    }

    /** A process that changes by itself is an event of its own. */
    private void lookForChanges() {
        Optional<Instant> next = world.backend.nextChange();
        if (next.isPresent() && lookAt.filter(at -> !at.isAfter(next.get())).isEmpty()) {
            lookAt = next;
            agenda.at(next.get(), () -> lookAt = lookAt.filter(at -> at.isAfter(world.clock.now())));
        }
    }

    private void faultsEnd() {
        faulty = false;
        contactAgain = world.clock.now();
        armed.clear();
        note("no more faults");
        agenda.at(world.clock.now().plus(TIDIED), () -> {
            invariants.checkNoStrays(jobs);
            cancelSuspended();
        });
    }

    /** Nobody resumes a suspended job any more. */
    private void cancelSuspended() {
        for (JobId id : jobs) {
            if (world.job(id).state() == JobState.SUSPENDED) {
                ask(id, Incident.Request.CANCEL);
            }
        }
        agenda.at(world.clock.now().plusSeconds(5), this::cancelSuspended);
    }

    private void boot(Replica replica) {
        if (!replica.boot()) {
            note("the service does not come up");
            agenda.at(world.clock.now().plusSeconds(1), () -> boot(replica));
        }
    }

    private void kill(Replica replica, Duration down) {
        replica.die();
        agenda.at(world.clock.now().plus(down), () -> {
            note("the service is started again");
            boot(replica);
        });
    }

    /** Does something inside a service, which may die of it. */
    void guarded(Replica replica, Runnable action) {
        try {
            action.run();
        } catch (AdoptionTest.Killed killed) {
            kill(replica, dice.shorterThan(dice.oneIn(4) ? Duration.ofSeconds(60) : Duration.ofMillis(500)));
        } catch (JobStore.StoreException | Faults.SimulatedException told) {
            note("the user is told: " + told.getMessage());
        }
    }

    /** A user hands a job in, and again with the same key until there is an answer. */
    private void submit(Submission submission, int tries) {
        Replica replica = replicas.get((submission.number() + tries) % replicas.size());
        boolean[] answered = {false};
        replica.node()
                .ifPresent(up -> guarded(replica, () -> {
                    note("submission of " + submission);
                    Jobs.Submission answer = up.jobs()
                            .accept(submission.spec(), submission.origin(), Map.of(), Optional.of(submission.name()));
                    answered[0] = true;
                    open--;
                    note(answer);
                    boolean tooLarge = !Demand.tooLarge(submission.spec(), scenario.capacity())
                                    .isEmpty()
                            || scenario.tooLargeForQueue(submission.spec());
                    if (answer instanceof Jobs.Submission.Refused != tooLarge
                            || answer instanceof Jobs.Submission.NameTaken) {
                        throw new AssertionError(submission + " is answered " + answer);
                    }
                    if (!tooLarge) {
                        accepted.add(submission.name());
                    }
                }));
        if (!answered[0]) {
            agenda.at(world.clock.now().plusSeconds(1), () -> submit(submission, tries + 1));
        }
    }

    private void ask(JobId id, Incident.Request request) {
        Replica replica = replicas.get(dice.below(replicas.size()));
        replica.node().ifPresent(up -> {
            note("asked to " + request + " " + id);
            guarded(replica, () -> {
                Jobs.Result answer = switch (request) {
                    case CANCEL -> up.jobs().cancel(id);
                    case SUSPEND -> up.jobs().suspend(id);
                    case RESUME -> up.jobs().resume(id, Optional.empty());
                    case PREEMPT -> up.jobs().preempt(id, "room is needed");
                };
                if (answer.equals(new Jobs.Result.Done())) {
                    invariants.done(id, request);
                }
            });
        });
    }

    private void scale(JobId id, int workers) {
        Replica replica = replicas.get(dice.below(replicas.size()));
        replica.node().ifPresent(up -> {
            note("asked for " + workers + " workers of " + id);
            guarded(replica, () -> note(up.jobs().scale(id, "worker", workers)));
        });
    }

    private Optional<JobRecord> jobOf(int submission) {
        String name = "job-" + submission;
        return jobs.stream()
                .map(world::job)
                .filter(job -> job.spec().name().equals(name))
                .findFirst();
    }

    private boolean fires(Incident.AskedWhen when) {
        Optional<JobRecord> job = jobOf(when.submission()).filter(found -> found.state() == when.state());
        job.ifPresent(found -> ask(found.id(), when.request()));
        return job.isPresent();
    }

    private void happens(Incident incident) {
        if (!faulty) {
            return;
        }
        switch (incident) {
            case Incident.Asked asked -> jobOf(asked.submission()).ifPresent(job -> ask(job.id(), asked.request()));
            case Incident.Scaled scaled ->
                jobOf(scaled.submission()).ifPresent(job -> scale(job.id(), scaled.workers()));
            case Incident.AskedWhen when -> armed.add(when);
            case Incident.ServiceKilled killed -> {
                Replica replica = replicas.get(killed.which() % replicas.size());
                if (replica.node().isPresent()) {
                    note("the service is killed");
                    kill(replica, killed.down());
                }
            }
            case Incident.CutOff cut -> {
                Replica replica = replicas.get(cut.which() % replicas.size());
                if (replica.node().isPresent()) {
                    note("service " + cut.which() % replicas.size() + " is cut off from the database for "
                            + cut.lasts());
                    replica.cutOff(world.clock.now().plus(cut.lasts()));
                }
            }
            case Incident.Frozen frozen -> {
                note("service " + frozen.which() % replicas.size() + " is frozen for " + frozen.lasts());
                replicas.get(frozen.which() % replicas.size())
                        .freeze(world.clock.now().plus(frozen.lasts()));
            }
            case Incident.ContactLost lost -> {
                note("contact is lost for " + lost.lasts());
                contactAgain = world.clock.now().plus(lost.lasts());
            }
            case Incident.ClockJumps jump -> {
                note("the clock jumps by " + jump.by());
                world.clock.advance(jump.by());
            }
            case Incident.ProcessEnds ends -> end(ends);
            case Incident.RowFails row ->
                jobOf(row.submission()).ifPresent(job -> {
                    note("the row of " + job.id() + " fails for " + row.lasts());
                    Faults.RowFault how =
                            row.comesThrough() ? Faults.RowFault.ANSWERS_ARE_LOST : Faults.RowFault.NOTHING_IS_DONE;
                    rows.put(job.id(), new BrokenRow(how, world.clock.now().plus(row.lasts())));
                });
            case Incident.OtherWriter writer -> changedByAnother(writer.which());
        }
    }

    private void end(Incident.ProcessEnds ends) {
        List<ProcessKey> alive =
                jobs.stream().flatMap(id -> world.backend.alive(id).stream()).toList();
        if (alive.isEmpty()) {
            return;
        }
        ProcessKey key = alive.get(ends.which() % alive.size());
        if (ends.vanishes()) {
            note(key + " vanishes");
            world.backend.vanish(key);
        } else {
            note(key + " is killed");
            world.backend.kill(key, 137);
        }
    }

    /** Whom nobody waits for any more waits for its peers, and for ever. */
    private void startLate(Launch launch) {
        open--;
        note(launch.key() + " is started only now");
        boolean wanted = invariants.isExpected(launch.key());
        world.backend.startLate(launch, wanted ? behaviour(launch.key()) : FakeProcess.runs());
    }

    private void changedByAnother(int which) {
        List<JobRecord> live = world.store.live();
        if (!live.isEmpty()) {
            JobRecord job = live.get(which % live.size());
            note("another writer changes " + job.id());
            world.store.compareAndSet(SampleJobs.next(job, job.status()), List.of());
        }
    }

    /** What stands between a new service and its ports. */
    Faults faults(ThisReplica identity) {
        return new Faults(plan, new Faults.Surrounding() {
            @Override
            public boolean faulty() {
                return faulty;
            }

            @Override
            public boolean contact() {
                return !world.clock.now().isBefore(contactAgain);
            }

            @Override
            public Instant now() {
                return world.clock.now();
            }

            @Override
            public void passes(Duration duration) {
                world.clock.advance(duration);
            }

            @Override
            public void later(Duration pause, Runnable action) {
                agenda.at(world.clock.now().plus(pause), action);
            }

            @Override
            public void note(Object what) {
                Simulation.this.note(what);
            }

            @Override
            public void startsLater(Duration pause, Launch launch) {
                open++;
                agenda.at(world.clock.now().plus(pause), () -> startLate(launch));
            }

            @Override
            public void acts(String what) {
                invariants.acts(identity, what);
            }

            @Override
            public Optional<Faults.RowFault> row(JobId job) {
                return Optional.ofNullable(rows.get(job))
                        .filter(broken -> world.clock.now().isBefore(broken.until()))
                        .map(BrokenRow::how);
            }
        });
    }

    private void note(Object what) {
        history.add(new Note(world.clock.now(), what));
    }

    /** All that happened and all steps of the jobs, in the order of time. */
    List<String> story() {
        List<Note> story = new ArrayList<>(history);
        for (JobId id : jobs) {
            world.events(id)
                    .forEach(event -> story.add(new Note(
                            event.at(),
                            "  " + id + " "
                                    + event.process().map(name -> name + " ").orElse("")
                                    + event.from().orElse("") + " -> " + event.to()
                                    + event.reason()
                                            .map(reason -> " (" + reason + ")")
                                            .orElse(""))));
        }
        story.sort((one, other) -> one.at().compareTo(other.at()));
        return story.stream().map(Note::toString).toList();
    }

    /** How often each row of the table was taken, and each end. */
    Map<String, Integer> ends() {
        Map<String, Integer> ends = new TreeMap<>();
        for (JobId id : jobs) {
            JobRecord job = world.job(id);
            String cause = job.status().cause().map(Cause::text).orElse("");
            ends.merge((job.state().text() + " " + cause).strip(), 1, Integer::sum);
            world.transitions(id).forEach(row -> ends.merge(row.name(), 1, Integer::sum));
        }
        return ends;
    }
}
