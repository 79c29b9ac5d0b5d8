package dev.muster.server.access;

import dev.muster.api.AuditDocument;
import dev.muster.server.home.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

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
        AuditDocument document() {
            return new AuditDocument(at, token, user, action, subject, outcome(), status);
        }

        private String outcome() {
            if (status == 0) {
                return "unknown";
            }
            return status < 400 ? "done" : status < 500 ? "refused" : "failed";
        }
    }

    /** Adds a line. It is with the operating system when this returns. */
    public synchronized void add(Entry entry) {
        byte[] line = (entry.document().toJson() + "\n").getBytes(StandardCharsets.UTF_8);
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
            letGo();
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
            if (size > 0 && !endsWithALine()) {
                // A line was cut short, and the next one is to be one of its own.
                out.get().write('\n');
                size++;
            }
        }
    }

    private boolean endsWithALine() throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(size - 1).read(last);
            return last.get(0) == '\n';
        }
    }

    /** The next line opens the file anew and sees how it ends. */
    private void letGo() {
        try {
            close();
        } catch (IOException closing) {
            out = Optional.empty();
        }
    }

    /**
     * What was noted, newest first. A line that was cut short is passed over.
     *
     * @param position what a page before gave as next; empty for the newest
     * @param limit    how many, at most
     * @throws IOException when it cannot be read
     */
    public synchronized AuditPage before(OptionalLong position, int limit) throws IOException {
        return AuditFiles.of(file).before(position, limit);
    }

    @Override
    public synchronized void close() throws IOException {
        Optional<OutputStream> closing = out;
        out = Optional.empty();
        if (closing.isPresent()) {
            closing.get().close();
        }
    }
}
