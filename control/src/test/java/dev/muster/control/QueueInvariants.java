package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Demand;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.Queue;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What must hold of queues at every moment: no quota is exceeded, and nobody is preempted against the rules. */
final class QueueInvariants {
    private static final Pattern MADE_ROOM = Pattern.compile("Preempted: made room for job (\\w+), (which|as) .*");

    private final World world;
    private final Map<JobId, Instant> cameBack = new HashMap<>();
    private final Set<JobId> preempted = new HashSet<>();

    QueueInvariants(World world) {
        this.world = world;
    }

    /** Quotas are of processes only. */
    void check(Iterable<JobId> jobs) {
        Map<String, Integer> held = new HashMap<>();
        for (JobId id : jobs) {
            JobRecord job = world.job(id);
            if (job.state().holdsCapacity()) {
                held.merge(job.spec().queue(), Demand.of(job).processes(), Integer::sum);
            }
        }
        for (Queue queue : world.queues().byName().values()) {
            if (queue.borrow().isEmpty()) {
                assertThat(held.getOrDefault(queue.name(), 0))
                        .as("held by queue %s", queue)
                        .isLessThanOrEqualTo(queue.quota().processes().orElse(Integer.MAX_VALUE));
            }
        }
    }

    /** A step of the job. */
    void happened(JobRecord job, Event event) {
        Queue queue = world.queues().get(job.spec().queue());
        Optional<String> by =
                event.reason().map(MADE_ROOM::matcher).filter(Matcher::matches).map(made -> made.group(1));
        if (event.to().equals("Stopping") && by.isPresent()) {
            Optional<JobRecord> other = world.store.find(new JobId(by.get()));
            if (other.isPresent() && other.get().spec().queue().equals(queue.name())) {
                assertThat(queue.preempt()).as("%s preempts", queue).isTrue();
                assertThat(other.get().spec().priority())
                        .isGreaterThan(job.spec().priority());
            } else if (other.isPresent()) {
                assertThat(world.queues().get(other.get().spec().queue()).reclaim())
                        .isTrue();
            }
            Instant back = cameBack.get(job.id());
            if (back != null) {
                assertThat(event.at())
                        .as("%s is preempted again", job.id())
                        .isAfterOrEqualTo(back.plus(queue.preemptAfter()));
            }
        }
        if (event.to().equals("Queued")) {
            if (event.cause().equals(Optional.of(Cause.PREEMPTED))) {
                preempted.add(job.id());
            }
        } else if (event.from().equals(Optional.of("Queued")) && event.to().equals("Admitted")) {
            if (preempted.remove(job.id())) {
                cameBack.put(job.id(), event.at());
            } else {
                cameBack.remove(job.id());
            }
        }
    }
}
