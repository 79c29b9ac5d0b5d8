package dev.muster.control;

import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.spi.JobStore;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.SampleJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Some jobs, users who change their minds, processes that end as they like and a service that fails in every way, all drawn from one seed.
 * Then the faults stop, and every job has to come to its one right end.
 */
final class Simulation {
    private static final int HISTORY = 80;
    private static final int[] CODES = {0, 0, 0, 0, 0, 0, 1, 42, 126, 130, 137, 137, 139, 143};

    private final long seed;
    private final Random random;
    private final World world = new World();
    private final Faults faults;
    private final Invariants invariants;
    private final Set<JobId> jobs = new LinkedHashSet<>();
    private final Deque<String> history = new ArrayDeque<>();
    private int submissions;
    private int commands;

    Simulation(long seed) {
        this.seed = seed;
        random = new Random(seed);
        faults = new Faults(random, this::note);
        invariants = new Invariants(world);
        submissions = 2 + random.nextInt(5);
        commands = random.nextInt(8);
        world.backend.capacity(new Capacity(3 + random.nextInt(5), 1, 1, 0));
        world.backend.script(this::behaviour);
        world.wrap(faults);
        int emptyOneIn = 5;
        world.models.missing(id -> Math.floorMod(id.hashCode() + (int) seed, emptyOneIn) == 0);
    }

    /** Runs it to its end; an error tells the seed and what happened last. */
    void run() {
        try {
            boot();
            for (int step = 0; step < 4000 && busy(); step++) {
                event();
                checkAll();
            }
            faults.on = false;
            faults.contact = true;
            note("no more faults");
            finish();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ": " + e.getMessage() + "\nhistory:\n" + String.join("\n", story()), e);
        }
    }

    private boolean busy() {
        return submissions > 0
                || jobs.stream().anyMatch(id -> !world.job(id).state().isFinal());
    }

    /** The last that happened and the last steps of the jobs, in the order of time. */
    private List<String> story() {
        List<String> story = new ArrayList<>(history);
        for (JobId id : jobs) {
            world.events(id)
                    .forEach(event -> story.add(line(
                            event.at(),
                            id + " " + event.process().map(Object::toString).orElse("") + " "
                                    + event.from().orElse("") + " -> " + event.to()
                                    + event.reason()
                                            .map(reason -> " (" + reason + ")")
                                            .orElse(""))));
        }
        story.sort(String::compareTo);
        return story;
    }

    private static String line(Instant at, String what) {
        return "%9d ms  %s".formatted(Duration.between(SampleJobs.NOON, at).toMillis(), what);
    }

    private void note(String what) {
        history.add(line(world.clock.now(), what));
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
    }

    private void checkAll() {
        world.store.live().forEach(job -> jobs.add(job.id()));
        invariants.check(jobs);
    }

    private void event() {
        switch (random.nextInt(40)) {
            case 0 -> submit();
            case 1 -> command();
            case 2 -> fate();
            case 3 -> changedByAnother();
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    faults.contact = !faults.contact;
                    note("contact " + faults.contact);
                }
            }
            case 5 -> {
                if (random.nextInt(6) == 0) {
                    note("the service dies");
                    boot();
                }
            }
            case 6, 7, 8, 9 -> slowWork();
            case 10, 11, 12, 13, 14, 15, 16 -> time();
            default -> work();
        }
    }

    private void boot() {
        for (int tries = 0; tries < 50; tries++) {
            try {
                world.boot();
                return;
            } catch (AdoptionTest.Killed | JobStore.StoreException again) {
                note("the service does not come up");
            }
        }
        throw new AssertionError("the service never comes up");
    }

    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (AdoptionTest.Killed killed) {
            boot();
        } catch (JobStore.StoreException | Faults.SimulatedException told) {
            note("the user is told: " + told.getMessage());
        }
    }

    private void work() {
        if (random.nextInt(3) > 0) {
            world.backend.tick();
        }
        guarded(() -> world.reconciler.doWork());
    }

    private void slowWork() {
        if (!world.slow.isEmpty()) {
            guarded(world.slow.poll());
        }
    }

    private void time() {
        Instant now = world.clock.now();
        Optional<Instant> work = world.reconciler.nextWork().filter(at -> at.isAfter(now));
        Optional<Instant> change = world.backend.nextChange();
        Instant next = now.plusMillis(random.nextInt(2000));
        if (random.nextInt(3) > 0) {
            next = work.filter(at -> change.isEmpty() || at.isBefore(change.get()))
                    .or(() -> change)
                    .orElse(next);
        }
        if (random.nextInt(200) == 0) {
            next = next.plusSeconds(random.nextInt(120));
            note("the clock jumps");
        }
        world.clock.advanceTo(next);
    }

    private void submit() {
        if (submissions == 0) {
            return;
        }
        submissions--;
        Spec spec = random.nextInt(3) == 0 ? parameterServers() : Spec.workers(1 + random.nextInt(3));
        spec.named("job-" + submissions)
                .restarts(random.nextInt(4))
                .priority(random.nextInt(3))
                .grace(Duration.ofMillis(500L * (1 + random.nextInt(12))))
                .startDeadline(Duration.ofSeconds(60));
        if (random.nextInt(3) == 0) {
            spec.model("model");
        }
        if (random.nextInt(4) == 0) {
            spec.sidecar("viewer");
        }
        if (random.nextInt(6) == 0) {
            spec.deadline(Duration.ofSeconds(40));
        }
        if (random.nextInt(6) == 0) {
            spec.queueDeadline(Duration.ofSeconds(60));
        }
        if (random.nextInt(8) == 0) {
            spec.suspended();
        }
        if (random.nextInt(3) == 0) {
            RestartScope[] scopes = RestartScope.values();
            spec.rule(42, Action.RESTART, random.nextBoolean(), scopes[random.nextInt(scopes.length)]);
        }
        guarded(() -> note("submitted " + world.jobs.accept(spec.build(), World.ORIGIN, Map.of(), Optional.empty())));
    }

    private Spec parameterServers() {
        return new Spec()
                .role("chief", 1)
                .role("worker", 1 + random.nextInt(2))
                .role("ps", 1)
                .tensorflow();
    }

    private FakeProcess behaviour(ProcessKey key) {
        FakeProcess process = FakeProcess.runs();
        boolean server = key.name().role().equals("ps") || key.name().role().equals("viewer");
        if (!server || random.nextInt(5) == 0) {
            process = process.exiting(CODES[random.nextInt(CODES.length)], Duration.ofMillis(random.nextInt(30_000)));
        }
        process = process.joining(Duration.ofMillis(random.nextInt(3000)));
        if (random.nextInt(25) == 0) {
            process = process.neverJoining();
        }
        if (random.nextInt(20) == 0) {
            process = process.overItsMemory();
        }
        if (random.nextInt(4) == 0) {
            process = process.onTerm(random.nextInt(2), Duration.ofMillis(random.nextInt(4000)));
        }
        if (random.nextInt(8) == 0) {
            process = process.ignoringTerm();
        }
        return random.nextInt(2) == 0 ? process.leavingOnStopFile(Duration.ofMillis(random.nextInt(3000))) : process;
    }

    private void command() {
        Optional<JobId> publishing = jobs.stream()
                .filter(job -> world.job(job).state() == JobState.PUBLISHING && random.nextBoolean())
                .findFirst();
        if (jobs.isEmpty() || commands == 0 && publishing.isEmpty()) {
            return;
        }
        commands = Math.max(0, commands - 1);
        JobId id = publishing.orElseGet(() -> new ArrayList<>(jobs).get(random.nextInt(jobs.size())));
        int kind = publishing.isPresent() ? 0 : random.nextInt(5);
        note("command "
                + List.of("cancel", "suspend", "resume", "preempt", "resume").get(kind) + " " + id);
        guarded(() -> {
            switch (kind) {
                case 0 -> world.jobs.cancel(id);
                case 1 -> world.jobs.suspend(id);
                case 3 -> world.jobs.preempt(id, "room is needed");
                default -> world.jobs.resume(id, Optional.empty());
            }
        });
    }

    /** Something happens to a process. */
    private void fate() {
        List<ProcessKey> alive =
                jobs.stream().flatMap(id -> world.backend.alive(id).stream()).toList();
        if (alive.isEmpty() || random.nextInt(3) > 0) {
            return;
        }
        ProcessKey key = alive.get(random.nextInt(alive.size()));
        if (random.nextInt(4) == 0) {
            note(key + " vanishes");
            world.backend.vanish(key);
        } else {
            note(key + " is killed");
            world.backend.kill(key, 137);
        }
    }

    /** Another writer changes a record, so that the next compare-and-set of the service fails. */
    private void changedByAnother() {
        if (!jobs.isEmpty() && random.nextInt(4) == 0) {
            JobRecord job = world.job(new ArrayList<>(jobs).get(random.nextInt(jobs.size())));
            if (!job.state().isFinal()) {
                world.store.compareAndSet(SampleJobs.next(job, job.status()), List.of());
            }
        }
    }

    private void finish() {
        Instant patience = world.clock.now().plus(Duration.ofHours(2));
        if (random.nextBoolean()) {
            boot();
        }
        while (busy()) {
            if (submissions > 0) {
                submit();
            }
            for (JobId id : jobs) {
                if (world.job(id).state() == JobState.SUSPENDED) {
                    world.jobs.cancel(id);
                }
            }
            world.pass(Duration.ofSeconds(5));
            checkAll();
            if (world.clock.now().isAfter(patience)) {
                throw new AssertionError("these never end: "
                        + jobs.stream()
                                .map(world::job)
                                .filter(job -> !job.state().isFinal())
                                .toList());
            }
        }
        world.pass(Duration.ofSeconds(70));
        checkAll();
        if (!invariants.ended().equals(jobs)) {
            throw new AssertionError("accepted " + jobs + ", ended " + invariants.ended());
        }
    }

    /** How the jobs ended. */
    Set<String> ends() {
        Set<String> ends = new LinkedHashSet<>();
        for (JobId id : jobs) {
            JobRecord job = world.job(id);
            ends.add(job.state().text()
                    + job.status()
                            .cause()
                            .map(Cause::text)
                            .map(text -> " " + text)
                            .orElse(""));
            world.transitions(id).forEach(row -> ends.add(row.name()));
        }
        return ends;
    }
}
