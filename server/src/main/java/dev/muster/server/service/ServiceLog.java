package dev.muster.server.service;

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
import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The service's own log: one file and the one before it, each of bounded size, readable by the owner only. A disk that is full loses
 * lines and nothing else.
 */
public final class ServiceLog extends Handler implements AutoCloseable {
    private static final long MAX_BYTES = 4L << 20;

    private final Path file;
    private final long maxBytes;
    private OutputStream out = OutputStream.nullOutputStream();
    private long size;

    ServiceLog(Path file, long maxBytes) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        Files.createDirectories(file.getParent());
        open();
    }

    /** Sends what every part of the service has to say to this file. */
    public static ServiceLog install(Path file) throws IOException {
        ServiceLog log = new ServiceLog(file, MAX_BYTES);
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(log);
        return log;
    }

    @Override
    public synchronized void publish(LogRecord record) {
        if (record.getLevel().intValue() < threshold(record)) {
            return;
        }
        byte[] line = text(record).getBytes(StandardCharsets.UTF_8);
        try {
            if (size > 0 && size + line.length > maxBytes) {
                out.close();
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
                open();
            }
            out.write(line);
            size += line.length;
        } catch (IOException lost) {
            reportError(null, lost, ErrorManager.WRITE_FAILURE);
        }
    }

    /** Libraries speak of themselves only when something is wrong. */
    private static int threshold(LogRecord record) {
        String name = record.getLoggerName() == null ? "" : record.getLoggerName();
        return (name.startsWith("dev.muster") ? Level.INFO : Level.WARNING).intValue();
    }

    private static String text(LogRecord record) {
        StringWriter text = new StringWriter();
        text.append(record.getInstant().toString())
                .append(' ')
                .append(record.getLevel().getName())
                .append(' ')
                .append(record.getLoggerName())
                .append(": ")
                .append(record.getMessage())
                .append('\n');
        if (record.getThrown() != null) {
            record.getThrown().printStackTrace(new PrintWriter(text, true));
        }
        return text.toString();
    }

    private void open() throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        size = Files.size(file);
        out = Files.newOutputStream(file, StandardOpenOption.APPEND);
    }

    @Override
    public void flush() {}

    @Override
    public synchronized void close() {
        try {
            out.close();
        } catch (IOException lost) {
            reportError(null, lost, ErrorManager.CLOSE_FAILURE);
        }
        out = OutputStream.nullOutputStream();
    }
}
