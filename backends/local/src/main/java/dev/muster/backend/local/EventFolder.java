package dev.muster.backend.local;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One folder in which shims make empty files {@code JOB.PROCESS.aN.s} and {@code .x} once a program was started and has ended. Watched by
 * inotify; where the system gives no watch it is listed again and again.
 */
final class EventFolder implements AutoCloseable {
    private static final Duration WITHOUT_WATCH = Duration.ofMillis(50);

    private final Path folder;
    private final Optional<WatchService> watch;

    EventFolder(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        watch = watch(folder);
        // Left by shims while no service lived. Who begins looks at every job anyway.
        drain();
    }

    private static Optional<WatchService> watch(Path folder) {
        try {
            WatchService service = folder.getFileSystem().newWatchService();
            folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
            return Optional.of(service);
        } catch (IOException noneLeft) {
            return Optional.empty();
        }
    }

    /** Path prefix of the files of one attempt. */
    Path prefix(ProcessKey key) {
        return folder.resolve(key.job() + "." + key.name() + ".a" + key.attempt());
    }

    /** Ends a wait that is going on. */
    void wake() throws IOException {
        try {
            Files.createFile(folder.resolve(".w"));
        } catch (FileAlreadyExistsException already) {
            // It will be taken.
            return;
        }
    }

    /** Waits for events, at most so long, and gives the jobs they are about. */
    Set<JobId> await(Duration longest) throws InterruptedException {
        if (watch.isEmpty()) {
            Thread.sleep(longest.compareTo(WITHOUT_WATCH) < 0 ? longest : WITHOUT_WATCH);
            return drain();
        }
        WatchKey key = watch.get().poll(longest.toNanos(), TimeUnit.NANOSECONDS);
        Set<JobId> jobs = new HashSet<>();
        while (key != null) {
            for (WatchEvent<?> event : key.pollEvents()) {
                if (event.context() instanceof Path name) {
                    take(folder.resolve(name), jobs);
                } else {
                    jobs.addAll(drain());
                }
            }
            key.reset();
            key = watch.get().poll();
        }
        return jobs;
    }

    /** Everything that lies there. */
    private Set<JobId> drain() {
        Set<JobId> jobs = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            files.forEach(file -> take(file, jobs));
        } catch (IOException | DirectoryIteratorException gone) {
            return jobs;
        }
        return jobs;
    }

    private static void take(Path file, Set<JobId> jobs) {
        String name = file.getFileName().toString();
        Own.job(name.substring(0, Math.max(name.indexOf('.'), 0))).ifPresent(jobs::add);
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // It is taken again by the next service, as a hint too many.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        if (watch.isPresent()) {
            watch.get().close();
        }
    }
}
