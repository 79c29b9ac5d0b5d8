package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.formats.streams.BulkOutput;
import dev.muster.formats.tar.TarReader;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A file of a running container that is only appended to, brought here as it grows. What is here already says where to go on, also after
 * the service was started anew.
 */
final class TailedFile implements AutoCloseable {
    private static final Logger LOG = System.getLogger(TailedFile.class.getName());
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);
    /** {@code tail} follows by itself; without it nothing comes before the end. */
    private static final String TAIL = "printf '" + Marked.TEXT + "'; exec tail -c +$(($1 + 1)) -f \"$2\"";

    private final DockerApi api;
    private final String container;
    private final String there;
    private final Path here;
    private volatile boolean closed;
    private Thread thread;

    private TailedFile(DockerApi api, String container, String there, Path here) {
        this.api = api;
        this.container = container;
        this.there = there;
        this.here = here;
    }

    static TailedFile follow(DockerApi api, String container, String there, Path here) {
        TailedFile file = new TailedFile(api, container, there, here);
        file.thread = Thread.ofVirtual().name("docker-tail").start(file::run);
        return file;
    }

    private void run() {
        while (!closed) {
            try (OutputStream out = append(here)) {
                List<String> tail = List.of("/bin/sh", "-c", TAIL, "muster", Long.toString(Files.size(here)), there);
                new Exec(api).run(container, tail, new Marked(out), DockerApi.ENDLESS);
            } catch (Refusal over) {
                return;
            } catch (IOException | BackendException | RuntimeException later) {
                LOG.log(Level.DEBUG, there + " of " + container + " is not followed now", later);
            }
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    private static OutputStream append(Path here) throws IOException {
        Files.createDirectories(here.getParent());
        return Files.newOutputStream(here, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Passes on what follows the mark. Without it, what comes is the runtime's word that the command could not be run. */
    private static final class Marked extends BulkOutput {
        private static final String TEXT = "muster follows:";

        private final OutputStream out;
        private int seen;

        Marked(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int at = offset;
            while (seen < TEXT.length() && at < offset + length) {
                if (bytes[at] != TEXT.charAt(seen)) {
                    throw new ProtocolException("the command that follows a file could not be run");
                }
                seen++;
                at++;
            }
            out.write(bytes, at, offset + length - at);
        }
    }

    /** Nothing is appended any more after this. */
    @Override
    public void close() {
        closed = true;
        // An open connection ends with its thread's interruption.
        thread.interrupt();
        try {
            if (!thread.join(LONGEST_END)) {
                throw new IllegalStateException("the reader of " + there + " does not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is there of an ended container's file and not yet here. Nobody may follow it. */
    static void rest(DockerApi api, String container, String there, Path here)
            throws BackendException, Refusal, IOException {
        try (OutputStream out = append(here)) {
            long have = Files.size(here);
            api.stream(
                    "/containers/" + container + "/archive?path=" + DockerApi.encode(there),
                    DockerApi.ENDLESS,
                    body -> {
                        TarReader tar = new TarReader(body, CodingErrorAction.REPLACE);
                        var entry = tar.next();
                        if (entry.isPresent() && entry.get().size() > have) {
                            var content = tar.content();
                            content.skipNBytes(have);
                            content.transferTo(out);
                        }
                        return null;
                    });
        }
    }
}
