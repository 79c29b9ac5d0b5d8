package dev.muster.server.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * One file and the one before it, each of bounded size, readable by the owner only. What cannot be written, such as on a full disk, is
 * lost and disturbs nothing. Any thread may write.
 */
public final class ServiceLog implements AutoCloseable {
    private static final long MAX_BYTES = 4L << 20;

    private final Path file;
    private final long maxBytes;
    private Optional<OutputStream> out = Optional.empty();
    private long size;

    ServiceLog(Path file, long maxBytes) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        Files.createDirectories(file.getParent());
        open();
    }

    private ServiceLog() {
        this.file = Path.of("standard output");
        this.maxBytes = Long.MAX_VALUE;
        this.out = Optional.of(System.out);
    }

    /** Opens the log and sends everything there that parts of this JVM have to say. */
    public static ServiceLog install(Path file) throws IOException {
        ServiceLog log = new ServiceLog(file, MAX_BYTES);
        ServiceLoggers.writeTo(log);
        return log;
    }

    /** Sends everything to standard output, for a service manager that keeps logs. */
    public static ServiceLog standardOutput() {
        ServiceLog log = new ServiceLog();
        ServiceLoggers.writeTo(log);
        return log;
    }

    /** Adds a line, and the stack trace of what is thrown. */
    synchronized void write(String line, Optional<Throwable> thrown) {
        StringWriter text = new StringWriter();
        text.append(line).append('\n');
        thrown.ifPresent(fault -> fault.printStackTrace(new PrintWriter(text, true)));
        byte[] bytes = visible(text.toString()).getBytes(StandardCharsets.UTF_8);
        try {
            if (size > 0 && size + bytes.length > maxBytes) {
                close();
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
                open();
            }
            if (out.isPresent()) {
                out.get().write(bytes);
                out.get().flush();
                size += bytes.length;
            }
        } catch (IOException lost) {
            // There is no other place to tell it.
        }
    }

    /** A control character that somebody sent does not make the log a binary file, or turn a terminal over. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c < ' ' && c != '\n' && c != '\t' || c == 0x7f) {
                visible.append(String.format("\\x%02x", c));
            } else {
                visible.append((char) c);
            }
        });
        return visible.toString();
    }

    private void open() throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        size = Files.size(file);
        out = Optional.of(Files.newOutputStream(file, StandardOpenOption.APPEND));
    }

    /** What comes later is lost. */
    @Override
    public synchronized void close() throws IOException {
        if (out.isPresent() && out.get() != System.out) {
            out.get().close();
        }
        out = Optional.empty();
    }
}
