package dev.muster.backend.local;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.HeldReady;
import dev.muster.spi.HeldReady.Written;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Starts an attempt in a process that is held ready: a Python that has imported the framework and waits at a pipe for what it is to become;
 * {@code standby.py} of the frameworks tells how. Its shim, its session and its control groups, which have a worker's limits, go with it: they
 * are the new attempt's from then on, and the one held ready has ended.
 *
 * <p>The order is two lines, so that nothing lasts that is done by halves. With the first the process claims the attempt as a shim does; then
 * the folders are made, and the second line makes it run. A service that dies in between closes the pipe, and the claim is taken back. What
 * holds secrets goes through the pipe and is never on disk.
 */
record HandOver(Starter starter) {
    private static final Duration CLAIM = Duration.ofSeconds(2);

    /** Whether it is held ready now, and did not keep anybody waiting for nothing a moment ago. */
    boolean isReady(LocalAttempt attempt) throws IOException {
        return attempt.isLive()
                && attempt.mayAnswer()
                && !attempt.isShimGone()
                && attempt.folder().exit().isEmpty()
                && attempt.folder().taken().isEmpty()
                && Files.exists(pipe(attempt.key()));
    }

    private Path pipe(ProcessKey key) {
        return starter.workspace().folders().code(key).resolve(HeldReady.PIPE);
    }

    /**
     * Has the process become the attempt.
     *
     * @param ready a process that is held ready
     * @param hold  file that lists who holds the group's reservations
     * @return false when it does not answer, and the attempt is to be started in another way
     */
    boolean start(Launch launch, Rendered rendered, AttemptFolder folder, LocalAttempt ready, Path hold)
            throws BackendException {
        ProcessKey key = launch.key();
        try {
            Files.createDirectories(folder.path());
            String shim = ready.folder().claimText();
            HeldReady lines = lines(launch, rendered, folder, ready, shim);
            if (!lines.fits()) {
                return false;
            }
            try (FileChannel pipe =
                    FileChannel.open(pipe(ready.key()), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                write(pipe, lines.claim());
                if (!shows(() -> folder.isClaimedBy(shim))) {
                    ready.didNotAnswer();
                    return false;
                }
                starter.workspace().prepare(launch, rendered, Optional.empty());
                folder.write(starter.facts(
                        launch,
                        rendered,
                        ready.folder().facts().map(Facts::cgroups).orElse(List.of())));
                if (Files.exists(hold)) {
                    Files.writeString(hold, "holder " + shim, StandardOpenOption.APPEND);
                }
                write(pipe, lines.order());
                // Only then is it known as taken, and not ended with the one that was held ready.
                shows(() -> folder.started().isPresent());
            }
            return true;
        } catch (IOException failed) {
            throw Failures.of(key.name() + " could not be started", Cause.LAUNCH_FAILED, failed);
        }
    }

    private HeldReady lines(Launch launch, Rendered rendered, AttemptFolder folder, LocalAttempt ready, String shim)
            throws IOException {
        ProcessKey key = launch.key();
        Path events = starter.places().events().prefix(key);
        List<Written> files = new ArrayList<>();
        files.add(written(ready.folder().takenFile(), folder.path() + "\n" + events + "\n"));
        // As the shim does for its own: room for whom it was asked to end, and for its end.
        files.add(written(folder.path().resolve("asked"), "\n"));
        files.add(written(folder.path().resolve("exit.new"), "\n"));
        files.add(new Written(events + ".s", ""));
        files.add(written(folder.startedFile(), ready.folder().startedText()));
        return HeldReady.of(
                written(folder.claimFile(), shim),
                rendered,
                starter.workspace().folders().log(key).toString(),
                starter.workspace().folders().code(key).toString(),
                files);
    }

    private static Written written(Path file, String text) {
        return new Written(file.toString(), text);
    }

    private static void write(FileChannel pipe, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            pipe.write(bytes);
        }
    }

    private interface Sign {
        boolean shows() throws IOException;
    }

    private static boolean shows(Sign sign) throws IOException {
        long end = System.nanoTime() + CLAIM.toNanos();
        while (!sign.shows()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
