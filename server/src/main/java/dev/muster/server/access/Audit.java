package dev.muster.server.access;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * Who changed what, when and with what outcome: a line of JSON for each request that is meant to change something, in a file that is only
 * ever appended to and that only the service's user can read. A full file is put aside under the time of its last line; nothing is ever
 * removed. What cannot be written, such as on a full disk, is told in the service's log. Any thread may call.
 */
public final class Audit implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Audit.class.getName());
    private static final long MAX_BYTES = 64L << 20;

    private final Path file;
    private final long maxBytes;
    private Optional<OutputStream> out = Optional.empty();
    private long size;
    private boolean told;

    private Audit(Path file, long maxBytes) {
        this.file = file;
        this.maxBytes = maxBytes;
    }

    /** Goes on in the file, which is made when the first line comes. */
    public static Audit to(Path file) {
        return new Audit(file, MAX_BYTES);
    }

    static Audit to(Path file, long maxBytes) {
        return new Audit(file, maxBytes);
    }

    /**
     * One thing that somebody did or tried.
     *
     * @param at      when it was over
     * @param token   name of the token
     * @param user    whose it is
     * @param action  method and route, such as {@code POST /v1/jobs/{job}/cancel}
     * @param subject what it is about, such as the id of a job; the path of the request where nothing better is known
     * @param status  HTTP status of the answer
     */
    public record Entry(Instant at, String token, String user, String action, String subject, int status) {
        private String outcome() {
            if (status == 0) {
                return "unknown";
            }
            return status < 400 ? "done" : status < 500 ? "refused" : "failed";
        }

        JsonFields toJson() {
            return Json.object()
                    .put("at", Json.of(at))
                    .put("token", token)
                    .put("user", user)
                    .put("action", action)
                    .put("subject", subject)
                    .put("outcome", outcome())
                    .put("status", Json.of(status))
                    .build();
        }
    }

    /** Adds a line. It is with the operating system when this returns. */
    public synchronized void add(Entry entry) {
        byte[] line = (entry.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            if (out.isPresent() && size + line.length > maxBytes) {
                close();
                Files.move(file, file.resolveSibling(file.getFileName() + "." + entry.at()));
            }
            open();
            out.orElseThrow().write(line);
            size += line.length;
            told = false;
        } catch (IOException lost) {
            if (!told) {
                told = true;
                LOG.log(Level.ERROR, "audit lines are lost: " + file + " cannot be written: " + lost.getMessage());
            }
        }
    }

    private void open() throws IOException {
        if (out.isEmpty()) {
            Files.createDirectories(file.getParent());
            if (!Files.exists(file)) {
                Files.createFile(file, OwnerOnly.file());
            }
            size = Files.size(file);
            out = Optional.of(Files.newOutputStream(file, StandardOpenOption.APPEND));
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (out.isPresent()) {
            out.get().close();
        }
        out = Optional.empty();
    }
}
