package dev.muster.backend.local;

import dev.muster.formats.json.Json;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
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
    private static final Path PIPE = Path.of(".muster", "standby.pipe");

    /** An order is written whether it is read or not, so all of it has to fit into a pipe. */
    private static final int LONGEST = 60_000;

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
        return starter.workspace().folders().code(key).resolve(PIPE);
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
            Path claim = folder.claimFile();
            String claims = line(
                    Json.object().put("claim", texts(claim.toString(), shim)).build());
            String order = order(launch, rendered, folder, ready);
            if (claims.length() + order.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                return false;
            }
            try (FileChannel pipe =
                    FileChannel.open(pipe(ready.key()), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                write(pipe, claims);
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
                write(pipe, order);
                // Only then is it known as taken, and not ended with the one that was held ready.
                shows(() -> folder.started().isPresent());
            }
            return true;
        } catch (IOException failed) {
            throw Failures.of(key.name() + " could not be started", Cause.LAUNCH_FAILED, failed);
        }
    }

    private String order(Launch launch, Rendered rendered, AttemptFolder folder, LocalAttempt ready)
            throws IOException {
        ProcessKey key = launch.key();
        Path events = starter.places().events().prefix(key);
        List<Json> files = new ArrayList<>();
        files.add(texts(ready.folder().takenFile().toString(), folder.path() + "\n" + events + "\n"));
        // As the shim does for its own: room for whom it was asked to end, and for its end.
        files.add(texts(folder.path().resolve("asked").toString(), "\n"));
        files.add(texts(folder.path().resolve("exit.new").toString(), "\n"));
        files.add(texts(events + ".s", ""));
        files.add(texts(folder.startedFile().toString(), ready.folder().startedText()));
        return line(Json.object()
                .put("files", new Json.Items(files))
                .put("log", Json.of(starter.workspace().folders().log(key).toString()))
                .put("folder", Json.of(starter.workspace().folders().code(key).toString()))
                .put("env", Json.ofTexts(rendered.env()))
                .put(
                        "argv",
                        Json.ofTexts(rendered.argv().subList(1, rendered.argv().size())))
                .build());
    }

    private static Json texts(String... words) {
        return Json.ofTexts(List.of(words));
    }

    private static String line(Json json) {
        return json + "\n";
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
