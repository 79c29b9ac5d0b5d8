package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

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
            Set<String> there = cluster.serviceNames();
            Set<JobId> before = Set.copyOf(told.keySet());
            told.keySet().removeIf(job -> there.containsAll(needed(job).keySet()));
            // Asked for after the list: pods of a job that is being removed go before its Services do.
            for (JobId job : couriers.living()) {
                needed(job).forEach((name, form) -> {
                    if (!there.contains(name)) {
                        renew(job, name, form);
                    }
                });
            }
            before.stream().filter(job -> !told.containsKey(job)).forEach(couriers::tell);
        } catch (BackendException | RuntimeException away) {
            // Whoever asks for pods is told of it.
            return;
        }
    }

    /** The Services that lead to the job's pods: its own, and those of members that have one each. */
    private Map<String, Map<String, Object>> needed(JobId job) {
        Map<String, Map<String, Object>> needed = new HashMap<>();
        needed.put(Names.service(job), objects.service(job));
        couriers.watch().of(job).stream()
                .filter(pod -> !pod.annotation(Labels.MEMBER).orElse("").isEmpty())
                .map(pod -> pod.key().name().member())
                .forEach(member -> needed.put(Names.service(job, member), objects.service(job, member)));
        return needed;
    }

    private void renew(JobId job, String service, Map<String, Object> form) {
        String name = "the Service " + service
                + ", by which the members of the group find each other, was removed by somebody else";
        try {
            if (cluster.createService(form)) {
                told.put(job, name + " and is made anew: a member that looked for another meanwhile may have failed");
            }
        } catch (RuntimeException refused) {
            told.put(job, name + " and cannot be made anew: " + Failures.reason(refused));
        }
        couriers.tell(job);
    }

    /** The same with what is to be told, at the first one that runs. */
    List<Sighting> with(JobId job, List<Sighting> sightings) {
        Optional<String> trouble = Optional.ofNullable(told.get(job));
        Optional<Sighting> first = sightings.stream()
                .filter(each -> each.state() instanceof Seen.Running)
                .findFirst();
        if (trouble.isEmpty() || first.isEmpty()) {
            return sightings;
        }
        return sightings.stream()
                .map(each -> each == first.get() ? with(each, trouble.get()) : each)
                .toList();
    }

    private static Sighting with(Sighting sighting, String trouble) {
        return sighting.state() instanceof Seen.Running running
                ? new Sighting(sighting.key(), running.with(trouble))
                : sighting;
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
