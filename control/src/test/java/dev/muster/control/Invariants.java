package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Demand;
import dev.muster.model.Attempt;
import dev.muster.model.Capacity;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.testkit.FakeBackend.Op;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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
    private final Map<JobId, Set<Incident.Request>> asked = new HashMap<>();
    private final Map<ProcessKey, Attempt> newest = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final QueueInvariants queues;

    Invariants(World world) {
        this.world = world;
        queues = new QueueInvariants(world);
        world.backend.before(call -> {
            if (call.op() == Op.START) {
                JobRecord job = world.job(call.job().orElseThrow());
                boolean ordered = job.state() == JobState.STARTING
                        && job.processes().stream()
                                .anyMatch(attempt -> attempt.key(job.id())
                                        .equals(call.process().orElseThrow()));
                if (!ordered) {
                    broken.add(call + " though the job is " + job.state());
                }
            }
            if (call.op() == Op.KILL || call.op() == Op.ASK) {
                JobRecord job = world.job(call.job().orElseThrow());
                if (isWanted(job, call.process().orElseThrow())) {
                    broken.add(call + " though the job is " + job.state() + " and wants it to run");
                }
            }
        });
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
                held = held.plus(Demand.of(job.spec()));
            } else {
                assertThat(world.backend.alive(id))
                        .as("alive while %s", job.state())
                        .isEmpty();
                assertThat(world.backend.holds(id))
                        .as("holds a place while %s", job.state())
                        .isFalse();
            }
            alive += world.backend.alive(id).size();
            if (!Long.valueOf(job.version()).equals(checked.put(id, job.version()))) {
                checkJob(job);
                checkEvents(job);
            }
        }
        assertThat(held.fitsIn(world.backend.capacity())).as("held %s", held).isTrue();
        queues.check(jobs);
        assertThat(alive).isLessThanOrEqualTo(world.backend.capacity().processes());
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
        if (job.state() == JobState.RUNNING) {
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
                assertThat(job.status()).isEqualTo(before.status());
                assertThat(job.times()).isEqualTo(before.times());
                assertThat(job.model()).isEqualTo(before.model());
            }
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
                    .noneMatch(launch -> launch.key().job().equals(job.id()));
        }
    }

    /** Events tell one unbroken history in the order of time. */
    private void checkEvents(JobRecord job) {
        long after = readUpTo.getOrDefault(job.id(), 0L);
        for (Event event : world.store.events(job.id(), after, Integer.MAX_VALUE)) {
            readUpTo.put(job.id(), event.seq());
            if (event.process().isEmpty()) {
                assertThat(event.from()).isEqualTo(Optional.ofNullable(lastState.get(job.id())));
                lastState.put(job.id(), event.to());
                queues.happened(job, event);
            }
            assertThat(event.at()).isBeforeOrEqualTo(world.clock.now());
        }
        assertThat(lastState.get(job.id())).isEqualTo(job.state().text());
    }

    /** A user asked for something. */
    void asked(JobId id, Incident.Request request) {
        asked.computeIfAbsent(id, none -> EnumSet.noneOf(Incident.Request.class))
                .add(request);
    }

    /** When all is over: every job that was accepted is there once, and each ended once. */
    void checkAfterAll(Set<JobId> jobs, Set<String> accepted) {
        assertThat(jobs.stream().map(id -> world.job(id).spec().name()).sorted())
                .as("accepted jobs")
                .containsExactlyElementsOf(accepted);
        assertThat(ended.keySet()).as("ended jobs").isEqualTo(jobs);
        for (JobId id : jobs) {
            long ends = world.events(id).stream()
                    .filter(event -> event.process().isEmpty() && FINAL.contains(event.to()))
                    .count();
            assertThat(ends).as("ends of %s", id).isEqualTo(1);
        }
    }
}
