package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.NotKeptException;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A courier for each pod that still needs one, of those jobs that this service was asked about: others are driven by another replica, whose couriers see
 * to them.
 */
final class Couriers implements AutoCloseable {
    private static final long LOOK_SECONDS = 1;

    private final Map<String, Courier> couriers = new ConcurrentHashMap<>();
    private final Set<JobId> ours = ConcurrentHashMap.newKeySet();
    private final Set<ProcessKey> joined = ConcurrentHashMap.newKeySet();
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("pods").factory());
    private final ExecutorService tidings =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().name("tidings").factory());
    private final Rush rush = new Rush();
    private final Courier.Office office;
    private volatile boolean closed;

    Couriers(KubernetesConfig config, Cluster cluster) {
        PodWatch watch = new PodWatch(cluster, this::changed);
        office =
                new Courier.Office(config, cluster, watch, rush, new Reach(), pod -> joined.add(pod.key()), this::tell);
        lookout.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Pods of this service that are being made. */
    Rush rush() {
        return rush;
    }

    PodWatch watch() {
        return office.watch();
    }

    /** Something was asked of this service about the job, so it is the one that drives it. */
    void take(JobId job) {
        if (ours.add(job)) {
            office.watch().of(job).forEach(this::attend);
        }
    }

    /** What became of a pod, or why its program is not begun yet. */
    Seen seen(PodSeen pod, Set<String> lostNodes, Instant now) {
        Seen seen = Observation.of(pod, lostNodes, joined.contains(pod.key()), now);
        if (seen instanceof Seen.Running running) {
            return trouble(pod.name())
                    .flatMap(trouble -> Failures.around(pod.programIsOver(), trouble))
                    .<Seen>map(running::with)
                    .orElse(seen);
        }
        return seen.equals(new Seen.Starting()) ? new Seen.Starting(hold(pod.name())) : seen;
    }

    /** Why a pod's program cannot be begun, where it is what is carried into the pod that is missing. */
    private Optional<Hold> hold(String pod) {
        return trouble(pod).map(Exception::getMessage).map(text -> new Hold(Cause.LAUNCH_FAILED, text));
    }

    /** Why what a program left in its pod is not fetched, where the pod was not reached twice in a row. */
    Optional<BackendException> unfetched(String pod) {
        return trouble(pod).flatMap(Failures::unfetched);
    }

    /** Why it is not, where this service's own disk did not take it twice in a row. */
    Optional<NotKeptException> notKept(String pod) {
        return trouble(pod).filter(NotKeptException.class::isInstance).map(NotKeptException.class::cast);
    }

    /** What could not be done for the pod, twice in a row. */
    private Optional<Exception> trouble(String pod) {
        return Optional.ofNullable(couriers.get(pod)).flatMap(Courier::trouble);
    }

    /** Jobs of this service's that have a pod whose program is not over. */
    Set<JobId> living() {
        return office.watch().all().stream()
                .filter(pod -> ours.contains(pod.job()))
                .filter(pod ->
                        !pod.isOver() && !pod.programIsOver() && pod.deleted().isEmpty())
                .map(PodSeen::job)
                .collect(Collectors.toSet());
    }

    void listen(Consumer<JobId> changed) {
        listeners.add(changed);
    }

    private void tell(PodSeen pod) {
        tell(pod.job());
    }

    /** Something about the job changed. */
    void tell(JobId job) {
        if (!closed) {
            // Not on the watch's own thread: who is told may ask what only the watch can answer.
            tidings.execute(() -> listeners.forEach(listener -> listener.accept(job)));
        }
    }

    /** Called by the watch, whose field may not be set yet. */
    private void changed(PodSeen pod) {
        if (closed) {
            return;
        }
        if (office != null) {
            attend(pod);
        }
        tell(pod);
        wake(pod.job());
    }

    /** Members wait for each other, not for pods of other jobs. */
    private void wake(JobId job) {
        if (office != null) {
            office.watch().of(job).stream()
                    .map(pod -> couriers.get(pod.name()))
                    .filter(courier -> courier != null && !courier.isOver())
                    .forEach(Courier::wake);
        }
    }

    /** Sees to it that the pod has a courier. */
    void attend(PodSeen pod) {
        boolean done = pod.has(Labels.COLLECTED) && !pod.sidecarRuns();
        if (done || closed || !ours.contains(pod.job())) {
            return;
        }
        couriers.compute(pod.name(), (name, present) -> {
            if (present != null && !present.isOver()) {
                return present;
            }
            if (office.watch().named(name).isEmpty()) {
                return null;
            }
            Courier made = new Courier(office, pod);
            made.start();
            return made;
        });
    }

    private void look() {
        couriers.values().forEach(Courier::breakSilence);
        couriers.values().removeIf(Courier::isOver);
        office.watch().all().forEach(this::attend);
    }

    void dismiss(String pod) {
        Courier courier = couriers.remove(pod);
        if (courier != null) {
            courier.close();
        }
    }

    void forget(JobId job) {
        ours.remove(job);
        joined.removeIf(key -> key.job().equals(job));
    }

    @Override
    public void close() {
        closed = true;
        lookout.shutdownNow();
        tidings.shutdown();
        couriers.values().forEach(Courier::close);
        office.watch().close();
    }
}
