package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Looks now and then whether the Service of each group that lives is there. One that somebody removed is made anew, by which the members find each
 * other again, and that is told until the next look.
 */
final class Services implements AutoCloseable {
    private static final long LOOK_SECONDS = 10;

    private final Cluster cluster;
    private final Couriers couriers;
    private final Objects objects;
    private final Map<JobId, String> told = new ConcurrentHashMap<>();
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("services").factory());

    Services(KubernetesConfig config, Cluster cluster, Couriers couriers) {
        this.cluster = cluster;
        this.couriers = couriers;
        objects = new Objects(config);
        lookout.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        if (couriers.living().isEmpty()) {
            told.clear();
            return;
        }
        try {
            Set<String> there = Set.copyOf(cluster.serviceJobs());
            Set<JobId> before = Set.copyOf(told.keySet());
            told.keySet().removeIf(job -> there.contains(job.value()));
            // Asked for after the list: pods of a job that is being removed go before its Service does.
            couriers.living().stream()
                    .filter(job -> !there.contains(job.value()))
                    .forEach(this::renew);
            before.stream().filter(job -> !told.containsKey(job)).forEach(couriers::tell);
        } catch (BackendException | RuntimeException away) {
            // Whoever asks for pods is told of it.
            return;
        }
    }

    private void renew(JobId job) {
        String name = "the Service " + Names.service(job)
                + ", by which the members of the group find each other, was removed by somebody else";
        try {
            if (cluster.createService(objects.service(job))) {
                told.put(job, name + " and is made anew: a member that looked for another meanwhile may have failed");
            }
        } catch (RuntimeException refused) {
            told.put(job, name + " and cannot be made anew: " + Failures.reason(refused));
        }
        couriers.tell(job);
    }

    /** The same with what is to be told, at the first one that runs. */
    Stream<Sighting> with(JobId job, Stream<Sighting> sightings) {
        Optional<String> trouble = Optional.ofNullable(told.get(job));
        if (trouble.isEmpty()) {
            return sightings;
        }
        boolean[] done = new boolean[1];
        return sightings.map(each -> {
            if (!done[0] && each.state() instanceof Seen.Running running) {
                done[0] = true;
                return new Sighting(each.key(), running.with(trouble.get()));
            }
            return each;
        });
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
