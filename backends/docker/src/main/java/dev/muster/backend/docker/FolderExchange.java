package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.formats.files.Folders;
import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarReader;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.CodingErrorAction;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings the checkpoints of a job with running containers here, and the files of its control folder there. Checkpoints are listed every
 * two seconds, and what has changed is fetched. What Muster pruned here goes there as well.
 */
final class FolderExchange implements AutoCloseable {
    private static final Logger LOG = System.getLogger(FolderExchange.class.getName());
    private static final Duration CONTROL = Duration.ofMillis(200);
    private static final int CHECKPOINTS_EVERY = 10;
    /** A line an entry: type, size and time of change, and its path. */
    private static final String LIST = "cd /muster/checkpoints && find . -mindepth 1 -exec stat -c '%F|%s|%Y|%n' {} +";

    private final DockerApi api;
    private final Path checkpoints;
    private final Path control;
    /** What was seen there when it was last fetched. */
    private final Map<String, String> fetched = new HashMap<>();

    /** What was sent to each running container, by its id: each has a control folder of its own, so that none finds an earlier one's stop. */
    private final Map<String, Map<String, FileTime>> sent = new LinkedHashMap<>();

    private volatile boolean closed;
    private Thread thread;

    FolderExchange(DockerApi api, Path checkpoints, Path control) {
        this.api = api;
        this.checkpoints = checkpoints;
        this.control = control;
    }

    /** This container runs: its control folder is served, and what the job wrote is fetched through it. */
    synchronized void serve(Found running) {
        sent.putIfAbsent(running.id(), new HashMap<>());
        if (thread == null || !thread.isAlive()) {
            thread = Thread.ofVirtual().name("docker-folders").start(this::run);
        }
    }

    /** This container's control folder is as the service's now, whatever it held before. */
    synchronized void renewControl(Found running) throws IOException, BackendException, Refusal {
        new Exec(api).output(running.id(), List.of("/bin/sh", "-c", "rm -rf " + Places.CONTROL + "/*"));
        sent.put(running.id(), new HashMap<>());
        send(running.id(), controlFiles());
    }

    private void run() {
        for (int round = 0; !closed; round++) {
            try {
                if (!exchange(round % CHECKPOINTS_EVERY == 0)) {
                    return;
                }
            } catch (IOException | BackendException | RuntimeException later) {
                LOG.log(Level.DEBUG, "the folders of a job are not exchanged now", later);
            }
            LockSupport.parkNanos(CONTROL.toNanos());
        }
    }

    /** False when nothing runs any more. */
    private synchronized boolean exchange(boolean fetch) throws IOException, BackendException {
        Map<String, FileTime> files = controlFiles();
        for (String container : List.copyOf(sent.keySet())) {
            try {
                send(container, files);
            } catch (Refusal over) {
                // It ended or is not there.
                sent.remove(container);
            }
        }
        if (closed || sent.isEmpty()) {
            return false;
        }
        String first = sent.keySet().iterator().next();
        try {
            if (fetch) {
                fetchChanged(first);
            }
        } catch (Refusal over) {
            sent.remove(first);
        }
        return true;
    }

    private Map<String, FileTime> controlFiles() throws IOException {
        Map<String, FileTime> files = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                control,
                path -> Files.isRegularFile(path)
                        && !path.getFileName().toString().startsWith("."))) {
            for (Path file : entries) {
                files.put(file.getFileName().toString(), Files.getLastModifiedTime(file));
            }
        }
        return files;
    }

    private void send(String container, Map<String, FileTime> files) throws BackendException, Refusal {
        Map<String, FileTime> before = sent.get(container);
        if (files.equals(before)) {
            return;
        }
        CopiedFiles.put(api, container, Places.CONTROL, tar -> {
            for (String name : files.keySet()) {
                tar.tree(name, control.resolve(name));
            }
        });
        Set<String> gone = new HashSet<>(before.keySet());
        gone.removeAll(files.keySet());
        for (String name : gone) {
            new Exec(api).output(container, List.of("rm", "-f", Places.CONTROL + "/" + name));
        }
        sent.put(container, new HashMap<>(files));
    }

    private void fetchChanged(String container) throws IOException, BackendException, Refusal {
        String listing = new Exec(api).output(container, List.of("/bin/sh", "-c", LIST));
        Map<String, StringBuilder> byEntry = new HashMap<>();
        listing.lines().filter(line -> line.contains("|./")).forEach(line -> {
            String path = line.substring(line.lastIndexOf("|./") + 3);
            String entry = path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
            byEntry.computeIfAbsent(entry, added -> new StringBuilder())
                    .append(line)
                    .append('\n');
        });
        for (Map.Entry<String, StringBuilder> entry : byEntry.entrySet()) {
            String name = entry.getKey();
            String now = entry.getValue().toString();
            boolean known = fetched.containsKey(name);
            if (known && !Files.exists(checkpoints.resolve(name))) {
                new Exec(api).output(container, List.of("rm", "-rf", Places.CHECKPOINTS + "/" + name));
                fetched.remove(name);
            } else if (!now.equals(fetched.get(name))) {
                fetch(api, container, Places.CHECKPOINTS + "/" + name, checkpoints.resolve(name));
                fetched.put(name, now);
            }
        }
        Set<String> gone = new HashSet<>(fetched.keySet());
        gone.removeAll(byEntry.keySet());
        for (String name : gone) {
            Folders.delete(checkpoints.resolve(name));
            fetched.remove(name);
        }
    }

    /** Everything that is in the volume, through a container that need not run; what was pruned here stays away. */
    synchronized void fetchAll(Found container) throws IOException, BackendException, Refusal {
        Set<String> pruned = new HashSet<>();
        fetched.keySet().stream()
                .filter(name -> !Files.exists(checkpoints.resolve(name)))
                .forEach(pruned::add);
        fetch(api, container.id(), Places.CHECKPOINTS, checkpoints, pruned);
    }

    static void fetch(DockerApi api, String container, String there, Path here)
            throws IOException, BackendException, Refusal {
        fetch(api, container, there, here, Set.of());
    }

    /** A file or a whole folder. A file appears at once, never in part; what is here and as it is there is left alone. */
    private static void fetch(DockerApi api, String container, String there, Path here, Set<String> except)
            throws BackendException, Refusal {
        api.stream("/containers/" + container + "/archive?path=" + DockerApi.encode(there), DockerApi.ENDLESS, body -> {
            TarReader tar = new TarReader(body, CodingErrorAction.REPLACE);
            for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
                // The first name is that of what was asked for.
                String name = entry.get().name();
                int slash = name.indexOf('/');
                String inside = slash < 0 ? "" : name.substring(slash + 1);
                Path target = inside.isEmpty() ? here : here.resolve(inside).normalize();
                String first = inside.contains("/") ? inside.substring(0, inside.indexOf('/')) : inside;
                if (target.startsWith(here) && !except.contains(first)) {
                    take(tar, entry.get(), target);
                }
            }
            return null;
        });
    }

    private static void take(TarReader tar, TarEntry entry, Path target) throws IOException {
        switch (entry.kind()) {
            case FOLDER -> Files.createDirectories(target);
            case FILE -> {
                FileTime time = FileTime.from(entry.modified());
                if (Files.isRegularFile(target)
                        && Files.size(target) == entry.size()
                        && Files.getLastModifiedTime(target).equals(time)) {
                    return;
                }
                Files.createDirectories(target.getParent());
                Path half = target.resolveSibling("." + target.getFileName() + ".half");
                try (InputStream content = tar.content()) {
                    Files.copy(content, half, StandardCopyOption.REPLACE_EXISTING);
                }
                if (entry.isExecutable()) {
                    Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
                Files.setLastModifiedTime(half, time);
                Files.move(half, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            case SYMBOLIC_LINK -> {
                Path to = target.getParent().resolve(entry.target()).normalize();
                if (!entry.target().startsWith("/") && to.startsWith(target.getParent())) {
                    Files.deleteIfExists(target);
                    Files.createSymbolicLink(target, Path.of(entry.target()));
                }
            }
            case HARD_LINK, DEVICE, PIPE, UNKNOWN -> {
                // Sockets and devices are nobody's checkpoint.
                return;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
