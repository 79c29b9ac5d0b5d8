package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Demand;
import dev.muster.model.Attempt;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Elastic;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import dev.muster.model.Site;
import dev.muster.spi.Launch;
import dev.muster.testkit.FakeBackend.Op;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold at every moment of a simulation, whatever goes wrong. */
final class Invariants {
    private static final int UNCOUNTED_LIMIT = 20;
    private static final Set<String> FINAL = Set.of("Succeeded", "Failed", "Cancelled");

    private final World world;
    private final Map<JobId, JobRecord> ended = new HashMap<>();
    private final Map<JobId, Long> checked = new HashMap<>();
    private final Map<JobId, Long> readUpTo = new HashMap<>();
    private final Map<JobId, String> lastState = new HashMap<>();
    private final Set<JobId> cancelled = new HashSet<>();
    private final Map<ProcessKey, Attempt> newest = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final QueueInvariants queues;
    private final RestartInvariants restarts = new RestartInvariants();
    private final TimeInvariants times;
    private final Map<JobId, Map<ProcessName, String>> lastOfProcess = new HashMap<>();
    private final Map<JobId, Instant> lastEvent = new HashMap<>();
    private int launches;

    Invariants(World world) {
        this.world = world;
        queues = new QueueInvariants(world);
        times = new TimeInvariants(world);
        world.backend.before(call -> {
            if (call.op() == Op.START) {
                JobRecord job = world.job(call.job().orElseThrow());
                boolean standby = isStandby(job, call.process().orElseThrow());
                boolean ordered = job.state() == (standby ? JobState.RUNNING : JobState.STARTING)
                        && job.processes().stream()
                                .anyMatch(attempt -> attempt.key(job.id())
                                        .equals(call.process().orElseThrow()));
                if (!ordered) {
                    broken.add(call + " though the job is " + job.state());
                }
                otherGroups(job, call.process().orElseThrow())
                        .forEach(key -> broken.add(call + " beside " + key + " of another attempt of the group"));
            }
            if (call.op() == Op.KILL || call.op() == Op.ASK) {
                JobRecord job = world.job(call.job().orElseThrow());
                if (isWanted(job, call.process().orElseThrow())) {
                    broken.add(call + " though the job is " + job.state() + " and wants it to run");
                }
            }
        });
    }

    /** Processes that run of other attempts of the group than this one is of. */
    private List<ProcessKey> otherGroups(JobRecord job, ProcessKey started) {
        Map<ProcessKey, Integer> groups = new HashMap<>();
        world.store
                .attempts(job.id(), Optional.empty())
                .forEach(attempt -> groups.put(attempt.key(job.id()), attempt.groupAttempt()));
        return ours(job).stream()
                .filter(key -> !isStandby(job, key) && !isStandby(job, started))
                .filter(key -> !groups.get(key).equals(groups.get(started)))
                .toList();
    }

    /** Those held ready are of no attempt of the group. */
    private static boolean isStandby(JobRecord job, ProcessKey key) {
        return job.spec().isStandby(key.name().role());
    }

    /** Whether the stored record has no reason to end the attempt. */
    private static boolean isWanted(JobRecord job, ProcessKey key) {
        return (job.state() == JobState.STARTING || job.state() == JobState.RUNNING)
                && job.times().settleUntil().isEmpty()
                && job.processes().stream()
                        .anyMatch(attempt -> attempt.key(job.id()).equals(key)
                                && !attempt.state().isOver()
                                && attempt.stopAsked().isEmpty());
    }

    /** Checks every job there is. */
    void check(Iterable<JobId> jobs) {
        assertThat(broken).isEmpty();
        assertThat(world.backend.violations()).isEmpty();
        Capacity held = Capacity.ZERO;
        int alive = 0;
        for (JobId id : jobs) {
            JobRecord job = world.job(id);
            if (job.state().holdsCapacity()) {
                held = held.plus(Demand.of(job));
            } else {
                assertThat(ours(job)).as("alive while %s", job.state()).isEmpty();
                assertThat(world.backend.holds(id))
                        .as("holds a place while %s", job.state())
                        .isFalse();
            }
            alive += ours(job).size();
            if (!Long.valueOf(job.version()).equals(checked.put(id, job.version()))) {
                checkJob(job);
                checkEvents(job);
            }
            times.check(job);
        }
        for (Launch launch : world.backend
                .launches()
                .subList(launches, world.backend.launches().size())) {
            restarts.started(world.job(launch.key().job()), launch.key());
        }
        launches = world.backend.launches().size();
        assertThat(held.fitsIn(world.backend.capacity())).as("held %s", held).isTrue();
        queues.check(jobs);
        assertThat(alive).isLessThanOrEqualTo(world.backend.capacity().processes());
    }

    /**
     * Processes of the job that run, but for strays: what a platform started so late that the job had gone on, which nobody can prevent. Those
     * have to go too, in time.
     */
    private List<ProcessKey> ours(JobRecord job) {
        Set<ProcessKey> late = world.backend.late();
        return world.backend.alive(job.id()).stream()
                .filter(key -> !late.contains(key) || isExpected(job, key))
                .toList();
    }

    /** Something went wrong until then, or a service was not there. */
    void troubleUntil(Instant at) {
        times.troubleUntil(at);
    }

    /** When nothing has gone wrong for a while: strays are gone too. */
    void checkNoStrays(Set<JobId> jobs) {
        for (JobId id : jobs) {
            if (!world.job(id).state().holdsCapacity()) {
                assertThat(world.backend.alive(id))
                        .as("still alive while %s", world.job(id).state())
                        .isEmpty();
            }
        }
    }

    /** Whether the stored record has the attempt as one that runs or is about to. */
    boolean isExpected(ProcessKey key) {
        return isExpected(world.job(key.job()), key);
    }

    private static boolean isExpected(JobRecord job, ProcessKey key) {
        return job.state().holdsCapacity()
                && job.processes().stream()
                        .anyMatch(attempt -> attempt.key(job.id()).equals(key)
                                && attempt.state() != ProcessState.WAITING
                                && !attempt.state().isOver());
    }

    /** A replica begins something that takes the lease on its site. */
    void acts(ThisReplica replica, String what) {
        Optional<String> holder = world.store.leaseHolder(Site.of(BackendKind.LOCAL, replica.host()));
        if (!holder.equals(Optional.of(replica.id()))) {
            broken.add(replica.id() + " begins to " + what + " though the lease is of " + holder.orElse("nobody"));
        }
    }

    private void checkJob(JobRecord job) {
        assertThat(job.counters().restarts())
                .as("restarts of %s", job.id())
                .isLessThanOrEqualTo(job.spec().restart().max());
        assertThat(job.counters().uncounted()).isLessThanOrEqualTo(UNCOUNTED_LIMIT);
        for (Attempt attempt : job.processes()) {
            Attempt before = newest.put(attempt.key(job.id()), attempt);
            assertThat(before == null
                            || !before.state().isOver()
                            || attempt.state().isOver())
                    .as("%s has ended and stays so", before)
                    .isTrue();
        }
        job.spec().elastic().ifPresent(elastic -> checkElastic(job, elastic));
        if (job.state() == JobState.RUNNING && job.spec().elastic().isEmpty()) {
            assertThat(job.processes())
                    .as("a gang runs whole")
                    .allMatch(attempt -> job.spec().role(attempt.name().role()).sidecar()
                            || attempt.startedAt().isPresent()
                            || attempt.exit().isPresent());
        }
        if (job.state().isFinal()) {
            JobRecord before = ended.putIfAbsent(job.id(), job);
            if (before == null) {
                checkEnd(job);
            } else {
                assertThat(List.of(job.status(), job.times(), job.model(), job.processes(), job.counters()))
                        .as("%s stays as it ended", job.id())
                        .isEqualTo(List.of(
                                before.status(),
                                before.times(),
                                before.model(),
                                before.processes(),
                                before.counters()));
            }
        }
    }

    private static void checkElastic(JobRecord job, Elastic elastic) {
        List<Attempt> workers = job.processes().stream()
                .filter(attempt -> attempt.name().role().equals("worker"))
                .toList();
        assertThat(job.spec().role("worker").count()).isBetween(elastic.min(), elastic.max());
        assertThat(workers).allMatch(attempt -> attempt.name().index() < elastic.max());
        if (job.state() == JobState.RUNNING) {
            assertThat(workers)
                    .as("enough of a gang runs")
                    .filteredOn(attempt ->
                            attempt.startedAt().isPresent() || attempt.exit().isPresent())
                    .hasSizeGreaterThanOrEqualTo(elastic.min());
        }
    }

    private void checkEnd(JobRecord job) {
        assertThat(job.times().finishedAt()).isPresent();
        boolean modelled =
                job.state() == JobState.SUCCEEDED && job.spec().model().isPresent();
        assertThat(job.model())
                .as("model of %s", job)
                .isEqualTo(modelled ? world.models.of(job.id()) : Optional.empty());
        assertThat(world.models.of(job.id()).isPresent())
                .as("visible model of %s", job)
                .isEqualTo(modelled);
        if (cancelled.contains(job.id())) {
            assertThat(job.state() == JobState.CANCELLED || job.model().isPresent())
                    .as("end of a cancelled job: %s", job)
                    .isTrue();
        }
        boolean failed = job.state() == JobState.FAILED;
        assertThat(job.status().cause().isPresent()).as("cause of %s", job).isEqualTo(failed);
        if (failed) {
            assertThat(job.status().reason().orElseThrow())
                    .startsWith(job.status().cause().orElseThrow().text() + ": ");
        }
        for (Attempt attempt : world.store.attempts(job.id(), Optional.empty())) {
            assertThat(attempt.state().isOver() || attempt.startedAt().isEmpty())
                    .as("%s of an ended job", attempt)
                    .isTrue();
            attempt.exit()
                    .map(Attempt.Exit::code)
                    .ifPresent(code ->
                            code.ifPresent(number -> assertThat(world.backend.exitCode(attempt.key(job.id())))
                                    .as("the true code of %s", attempt)
                                    .contains(number)));
            if (attempt.startedAt().isPresent()) {
                assertThat(world.telemetry.finished()).contains(attempt.key(job.id()));
            }
        }
        if (world.path(job.id()).equals(List.of("Queued", "Cancelled"))) {
            assertThat(world.backend.launches())
                    .as("starts of %s, cancelled while it waited", job.id())
                    .noneMatch(launch -> launch.key().job().equals(job.id()));
        }
    }

    /** Events tell one unbroken history in the order of time. */
    private void checkEvents(JobRecord job) {
        long after = readUpTo.getOrDefault(job.id(), 0L);
        for (Event event : world.store.events(job.id(), after, Integer.MAX_VALUE)) {
            readUpTo.put(job.id(), event.seq());
            times.happened(job, event);
            event.process().ifPresent(name -> checkProcess(job, event, name));
            if (event.process().isEmpty()) {
                assertThat(event.from()).isEqualTo(Optional.ofNullable(lastState.get(job.id())));
                lastState.put(job.id(), event.to());
                queues.happened(job, event);
                restarts.happened(job, event);
            }
            assertThat(event.at()).isBeforeOrEqualTo(world.clock.now());
            Instant before = lastEvent.put(job.id(), event.at());
            assertThat(before == null || !event.at().isBefore(before))
                    .as("%s comes after one at %s", event, before)
                    .isTrue();
        }
        assertThat(lastState.get(job.id())).isEqualTo(job.state().text());
    }

    /** Those of a process, too; only a worker that left an elastic group begins anew when it comes back. */
    private void checkProcess(JobRecord job, Event event, ProcessName name) {
        String before =
                lastOfProcess.computeIfAbsent(job.id(), id -> new HashMap<>()).put(name, event.to());
        String from = event.from().orElseThrow();
        boolean comesBack = job.spec().elastic().isPresent() && from.equals("Waiting");
        assertThat(before == null || comesBack || from.equals(before))
                .as("%s comes after %s", event, before)
                .isTrue();
    }

    /** A user asked for something and was told that it is so. */
    void done(JobId id, Incident.Request request) {
        JobRecord job = world.job(id);
        Optional<JobState> heads =
                job.state() == JobState.STOPPING ? job.status().target() : Optional.of(job.state());
        boolean stored = switch (request) {
            case CANCEL ->
                heads.orElseThrow().isFinal() && !heads.equals(Optional.of(JobState.SUCCEEDED))
                        || job.state() == JobState.SUCCEEDED
                        || job.state() == JobState.PUBLISHING
                                && world.models.of(id).isPresent();
            case SUSPEND -> heads.equals(Optional.of(JobState.SUSPENDED));
            case RESUME -> job.state() != JobState.SUSPENDED;
            case PREEMPT -> true;
        };
        assertThat(stored).as("%s is done: %s", request, job).isTrue();
        if (request == Incident.Request.CANCEL && heads.equals(Optional.of(JobState.CANCELLED))) {
            cancelled.add(id);
        }
    }

    /** When all is over: every job that was accepted is there once, and each ended once. */
    void checkAfterAll(Set<JobId> jobs, Set<String> accepted) {
        assertThat(jobs.stream().map(id -> world.job(id).spec().name()).sorted())
                .as("accepted jobs")
                .containsExactlyElementsOf(accepted);
        assertThat(ended.keySet()).as("ended jobs").isEqualTo(jobs);
        assertThat(jobs.stream().flatMap(id -> world.backend.alive(id).stream()))
                .as("processes that are left")
                .isEmpty();
        for (JobId id : jobs) {
            long ends = world.events(id).stream()
                    .filter(event -> event.process().isEmpty() && FINAL.contains(event.to()))
                    .count();
            assertThat(ends).as("ends of %s", id).isEqualTo(1);
        }
    }
}
