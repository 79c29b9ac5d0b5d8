package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import dev.muster.spi.JobFolders;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes what a program says in its pod to the service's log and report file, from where they end on, and passes on what else its pod tells. While it
 * listens it also brings changes of the job's control folder into the pod.
 */
final class Follower {
    private static final Duration SILENCE = Duration.ofSeconds(40);
    private static final Duration SILENCE_AFTER_END = Duration.ofSeconds(15);
    /** The shim tells the end; where it was killed itself, this does. */
    private static final String NOTE_END = "sleep 1; [ -e /muster/state/exit ] || echo 137 >/muster/state/exit";

    private final Courier.Office office;
    private final Exec sidecar;
    private final AtomicBoolean endNoted = new AtomicBoolean();
    private volatile Optional<Closeable> open = Optional.empty();
    private volatile Instant lastHeard = Instant.MAX;

    Follower(Courier.Office office, Exec sidecar) {
        this.office = office;
        this.sidecar = sidecar;
    }

    /**
     * Returns when everything is told and the program is over, or is another attempt.
     *
     * @return whether it is over
     */
    boolean follow(PodSeen pod, Optional<CheckpointSync> sync) throws BackendException, IOException {
        JobFolders folders = office.folders();
        Path log = folders.log(pod.key());
        Path reports = folders.reports(pod.key());
        Files.createDirectories(log.getParent());
        Files.createDirectories(reports.getParent());
        String[] join = pod.annotation(Labels.JOIN).orElse("started 0000").split(" ");
        ControlFolder control = new ControlFolder(folders.control(pod.job()), sidecar, sync);
        try (Tail toLog = new Tail(log);
                Tail toReports = new Tail(reports)) {
            Outputs outputs = new Outputs(pod, toLog, toReports, sync, new AtomicBoolean(true));
            control.start();
            lastHeard = office.clock().now();
            sidecar.read(
                    output -> listen(output, outputs),
                    watch -> open = Optional.of(watch),
                    "sh",
                    PodPaths.LAUNCH + "/follow",
                    Long.toString(toLog.size()),
                    Long.toString(toReports.size()),
                    join[0],
                    join[1],
                    sync.isPresent() ? "scan" : "",
                    part(pod));
            return outputs.over().get();
        } finally {
            lastHeard = Instant.MAX;
            open = Optional.empty();
            control.close();
        }
    }

    /** Which part of the log is the attempt's. */
    private static String part(PodSeen pod) {
        if (pod.has(Labels.WAS)) {
            return "taken";
        }
        return pod.isHeldReady() ? "held" : "";
    }

    private record Outputs(PodSeen pod, Tail log, Tail reports, Optional<CheckpointSync> sync, AtomicBoolean over) {}

    private void listen(InputStream output, Outputs outputs) throws IOException, BackendException {
        Frames frames = new Frames(output);
        while (true) {
            Frames.Frame frame = frames.next();
            lastHeard = office.clock().now();
            switch (frame.kind()) {
                case LOG -> outputs.log().add(frame.bytes());
                case REPORTS -> {
                    if (outputs.sync().isPresent()) {
                        // Who is told that a checkpoint is whole finds it.
                        outputs.sync().get().fetchReported(ReportedCheckpoints.names(frame.text()));
                    }
                    outputs.reports().add(frame.bytes());
                }
                case JOINED -> {
                    office.joined().joined(outputs.pod());
                    office.tidings().changed(outputs.pod());
                }
                case FILES -> {
                    if (outputs.sync().isPresent()) {
                        outputs.sync().get().listed(Listing.parse(frame.text()));
                        carry(outputs.sync().get());
                    }
                }
                case SAME -> {
                    if (outputs.sync().isPresent()) {
                        carry(outputs.sync().get());
                    }
                }
                case ALIVE -> {}
                case BECAME -> {
                    outputs.over().set(false);
                    return;
                }
                case END -> {
                    return;
                }
            }
        }
    }

    /** After each look at the folder, also while it never stands still. */
    private static void carry(CheckpointSync sync) throws BackendException {
        sync.fetch();
        sync.bring();
    }

    /** @param over its program is, so that there is something to tell */
    void breakSilence(boolean over) {
        Instant heard = lastHeard;
        Duration longest = over ? SILENCE_AFTER_END : SILENCE;
        if (!heard.equals(Instant.MAX) && office.clock().now().isAfter(heard.plus(longest))) {
            close();
        }
    }

    /** The program's container is over. */
    void noteEnd() {
        if (open.isPresent() && endNoted.compareAndSet(false, true)) {
            Thread.ofVirtual().start(() -> {
                try {
                    sidecar.run("sh", "-c", NOTE_END);
                } catch (BackendException again) {
                    endNoted.set(false);
                }
            });
        }
    }

    void close() {
        open.ifPresent(stream -> {
            try {
                stream.close();
            } catch (IOException ended) {
                // It is over either way.
                return;
            }
        });
    }
}
