package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Keeps a pod's control folder as the job's: small files that tell processes what to do, such as {@code stop}. */
final class ControlFolder {
    private static final long PERIOD_MILLIS = 300;
    private static final long LARGEST = 64 * 1024;
    private static final String WRITE = "printf %s \"$1\" >\"$2.new\" && mv \"$2.new\" \"$2\"";

    private final Path folder;
    private final Exec sidecar;
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private Map<String, String> pushed = Map.of();
    private final Optional<CheckpointSync> checkpoints;
    private boolean closed;

    ControlFolder(Path folder, Exec sidecar, Optional<CheckpointSync> checkpoints) {
        this.folder = folder;
        this.sidecar = sidecar;
        this.checkpoints = checkpoints;
    }

    void start() {
        thread.start();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void run() {
        boolean more = true;
        while (more) {
            try {
                if (!read(folder).equals(pushed) && checkpoints.isPresent()) {
                    // Who is told to do something finds what was there when it was told.
                    checkpoints.get().bring();
                }
                pushed = push(folder, pushed, sidecar);
            } catch (BackendException notNow) {
                pushed = Map.of();
            }
            more = pause();
        }
    }

    private synchronized boolean pause() {
        try {
            if (!closed) {
                wait(PERIOD_MILLIS);
            }
            return !closed;
        } catch (InterruptedException end) {
            return false;
        }
    }

    /** Brings what differs from {@code before} into the pod; what is there now. */
    static Map<String, String> push(Path folder, Map<String, String> before, Exec sidecar) throws BackendException {
        Map<String, String> now = read(folder);
        for (Map.Entry<String, String> file : now.entrySet()) {
            if (!file.getValue().equals(before.get(file.getKey()))) {
                sidecar.run("sh", "-c", WRITE, "sh", file.getValue(), PodPaths.CONTROL + "/" + file.getKey());
            }
        }
        for (String gone : before.keySet()) {
            if (!now.containsKey(gone)) {
                sidecar.run(PodPaths.BUSYBOX, "rm", "-f", "--", PodPaths.CONTROL + "/" + gone);
            }
        }
        return now;
    }

    private static Map<String, String> read(Path folder) {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path each : entries.filter(Files::isRegularFile).toList()) {
                if (Files.size(each) <= LARGEST) {
                    files.put(each.getFileName().toString(), Files.readString(each, StandardCharsets.UTF_8));
                }
            }
        } catch (NoSuchFileException none) {
            return new HashMap<>();
        } catch (IOException unreadable) {
            return files;
        }
        return files;
    }
}
