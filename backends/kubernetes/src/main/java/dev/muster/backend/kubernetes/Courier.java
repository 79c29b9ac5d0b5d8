package dev.muster.backend.kubernetes;

import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import dev.muster.spi.NotKeptException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Carries everything between the service and one pod, on a thread of its own: what the program needs, then what it says, then what it left. What is
 * done is noted on the pod, so another service goes on where this one was ended.
 */
final class Courier {
    private static final Logger LOG = System.getLogger(Courier.class.getName());
    private static final long PAUSE_MILLIS = 1_000;

    /** Of one whose pod cannot be reached: there may be hundreds of them, and what is wrong is not mended by asking. */
    private static final long LONGEST_PAUSE_MILLIS = 8_000;

    /** Longer than a service takes to go on with a start. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(1);

    /** The container ends with this, and the command should have an answer before. */
    private static final String LET_GO =
            "touch /muster/state/collected; { usleep 300000; kill -USR1 1; } >/dev/null 2>&1 &";

    /** What couriers of one service have in common. */
    record Office(
            KubernetesConfig config,
            Cluster cluster,
            PodWatch watch,
            Rush rush,
            Reach reach,
            Joined joined,
            Tidings tidings) {
        JobFolders folders() {
            return config.folders();
        }

        Clock clock() {
            return config.clock();
        }
    }

    /** Where it is noted that an attempt has joined. */
    interface Joined {
        void joined(PodSeen pod);
    }

    /** Who is told that something about a pod changed. */
    interface Tidings {
        void changed(PodSeen pod);
    }

    private final Office office;
    private final String name;
    private final Exec sidecar;
    private final Follower follower;
    private final Peers peers;
    private final Rush.Patience patience;
    private final Thread thread;
    private Optional<CheckpointSync> checkpoints = Optional.empty();
    private Optional<ProcessKey> syncs = Optional.empty();
    private boolean toldBefore;
    private Optional<Instant> becameAt = Optional.empty();
    private boolean delivered;
    private Optional<String> parcels = Optional.empty();
    private volatile boolean closed;
    private boolean news;
    private long pauseMillis = PAUSE_MILLIS;
    private int failures;
    private String lastTrouble = "";
    private volatile Optional<Exception> trouble = Optional.empty();

    Courier(Office office, PodSeen pod) {
        this.office = office;
        this.name = pod.name();
        this.sidecar = office.cluster()
                .exec(name, Labels.SIDECAR)
                .by(office.reach().into(name, () -> office.watch().named(name).flatMap(PodSeen::node)));
        this.follower = new Follower(office, sidecar);
        this.peers = new Peers(office.watch());
        this.patience = office.rush().new Patience();
        this.thread = Thread.ofVirtual().name("pod " + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Something about the pod changed. */
    synchronized void wake() {
        news = true;
        notifyAll();
    }

    void close() {
        closed = true;
        follower.close();
        wake();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** Ends a connection that has been silent for longer than a living one can be. */
    void breakSilence() {
        boolean over = office.watch().named(name).filter(PodSeen::programIsOver).isPresent();
        follower.breakSilence(over);
        if (over) {
            follower.noteEnd();
        }
    }

    private void run() {
        while (!closed) {
            Optional<PodSeen> pod = office.watch().named(name);
            if (pod.isEmpty()) {
                return;
            }
            try {
                if (!step(pod.get())) {
                    return;
                }
                trouble = Optional.empty();
                failures = 0;
                pauseMillis = PAUSE_MILLIS;
            } catch (IOException here) {
                later(new NotKeptException("what pod " + name + " says", here));
            } catch (BackendException | RuntimeException problem) {
                later(problem);
            }
            pause();
        }
    }

    private void later(Exception problem) {
        remark(problem);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }

    /** Each trouble is logged once, not at each try; what stays is what holds the attempt. */
    private void remark(Exception problem) {
        String text = Failures.reason(problem);
        if (closed || office.watch().named(name).isEmpty()) {
            return;
        }
        failures++;
        if (failures > 1) {
            trouble = Optional.of(problem);
        }
        if (!text.equals(lastTrouble)) {
            lastTrouble = text;
            LOG.log(Level.WARNING, "pod " + name + ": tried again: " + problem.getMessage());
        }
    }

    /** What could not be done for the pod, twice in a row. */
    Optional<Exception> trouble() {
        return trouble;
    }

    private synchronized void pause() {
        try {
            if (!news) {
                wait(pauseMillis);
            }
            news = false;
        } catch (InterruptedException end) {
            closed = true;
        }
    }

    /** Does what is next; false when all is done. */
    private boolean step(PodSeen pod) throws BackendException, IOException {
        if (pod.has(Labels.COLLECTED)) {
            if (pod.sidecarRuns()) {
                letGo(sidecar, name);
            }
            return pod.sidecarRuns();
        }
        if (!pod.has(Labels.DELIVERED)) {
            return beforeStart(pod);
        }
        if (pod.was().isPresent() && !pod.has(Labels.WAS_TOLD)) {
            tellBefore(pod, pod.was().get());
            return true;
        }
        if (!pod.has(Labels.TOLD)) {
            tell(pod);
            return true;
        }
        collect(pod);
        return true;
    }

    private boolean beforeStart(PodSeen pod) throws BackendException {
        if (pod.programIsOver() || pod.isOver()) {
            note(pod, Map.of(Labels.TOLD, "nothing", Labels.COLLECTED, "nothing"));
        } else if (pod.sidecarRuns() && !pod.has(Labels.STOP) && pod.deleted().isEmpty()) {
            if (!delivered && patience.waits()) {
                return true;
            }
            Delivery delivery = new Delivery(office.folders(), office.config().code());
            if (!delivered) {
                parcels = delivery.into(sidecar, pod);
                delivered = true;
            }
            // From then on it is told to run, so its container has to be known to.
            if (pod.programRuns()
                    && Gang.isThere(pod, office.watch())
                    && peers.areThere(pod, office.clock().now())) {
                sync(pod);
                ControlFolder.push(office.folders().control(pod.job()), Map.of(), sidecar);
                // Whatever comes of it, it is not done with these again.
                delivered = false;
                delivery.go(sidecar, parcels, peers.names(pod));
                note(pod, Map.of(Labels.DELIVERED, office.clock().now().toString()));
            }
        }
        return true;
    }

    private void tell(PodSeen pod) throws BackendException, IOException {
        if (pod.sidecarRuns()) {
            if (!follower.follow(pod, sync(pod))) {
                toldBefore = true;
                if (!isForgotten(pod)) {
                    return;
                }
            }
        } else if (!pod.isOver() && !pod.programIsOver()) {
            return;
        }
        note(pod, Map.of(Labels.TOLD, told()));
    }

    /** What was held ready is an attempt now, as its pod soon says; not where that was stopped, or asked for no more, and is over. */
    private boolean isForgotten(PodSeen pod) {
        Instant now = office.clock().now();
        Instant since = becameAt.orElse(now);
        becameAt = Optional.of(since);
        return pod.programIsOver() && (pod.has(Labels.STOP) || now.isAfter(since.plus(FORGOTTEN)));
    }

    /** The rest of what it said as long as it was held ready. */
    private void tellBefore(PodSeen pod, Held held) throws BackendException, IOException {
        if (!toldBefore && pod.sidecarRuns()) {
            follower.follow(pod.asBefore(held), Optional.empty());
        }
        note(pod, Map.of(Labels.WAS_TOLD, "all"));
    }

    /**
     * Whether somebody had deleted the pod by now, which the watch may not have told yet. What another service has noted stays, so that an end is the same
     * for all.
     */
    private String told() throws BackendException {
        Optional<PodSeen> now = office.cluster().pod(name);
        String first = now.flatMap(pod -> pod.deleted()).isPresent() ? Labels.TOLD_WHEN_DELETED : Labels.TOLD_ALL;
        return now.flatMap(pod -> pod.annotation(Labels.TOLD)).orElse(first);
    }

    /** A claim is seen by all pods of the job, so one of them is enough to see what is in it. */
    private Optional<CheckpointSync> sync(PodSeen pod) {
        if (!syncs.equals(Optional.of(pod.key()))) {
            checkpoints = Optional.empty();
            syncs = Optional.of(pod.key());
        }
        if (checkpoints.isEmpty() && (!pod.has(Labels.CLAIM) || pod.has(Labels.CHIEF))) {
            CheckpointSync made = CheckpointSync.of(pod, sidecar, office.folders(), office.clock());
            made.delivered();
            checkpoints = Optional.of(made);
        }
        return checkpoints;
    }

    private void collect(PodSeen pod) throws BackendException, IOException {
        if (pod.sidecarRuns()) {
            Optional<CheckpointSync> sync = sync(pod);
            if (sync.isPresent()) {
                sync.get().fetchLast();
            }
            if (pod.has(Labels.CHIEF)) {
                new ModelFetch(office.folders(), sidecar).fetch(pod);
            }
        }
        note(pod, Map.of(Labels.COLLECTED, pod.sidecarRuns() ? "all" : "its container is gone"));
    }

    private void note(PodSeen pod, Map<String, String> annotations) throws BackendException {
        office.cluster().annotate(pod.name(), annotations);
        office.watch().annotated(pod.name(), annotations);
        office.tidings().changed(pod);
        wake();
    }

    /** Nothing in the pod is needed any more; asked until its container is seen to be over. */
    static void letGo(Exec sidecar, String pod) {
        try {
            sidecar.run("sh", "-c", LET_GO);
        } catch (BackendException over) {
            LOG.log(Level.DEBUG, () -> pod + " does not answer any more: " + over.getMessage());
        }
    }
}
