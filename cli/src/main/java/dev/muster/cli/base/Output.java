package dev.muster.cli.base;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where a command writes, as UTF-8 whatever the locale says. What is written stays in a buffer until {@link #flush}. Any thread may
 * call. When the reader is gone (as after {@code | head}, or was never there, as with {@code >&-}), the next write throws {@link ClosedOutput}; when the output cannot be
 * written for another reason, such as a full disk, it throws {@link Failure}.
 */
public final class Output {
    /** Nobody reads any more. */
    public static final class ClosedOutput extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClosedOutput() {
            super("nobody reads the output any more", null, false, false);
        }
    }

    /** What the system and the JDK say of a pipe without a reader, and of an output that was closed from the start. */
    private static final List<String> GONE = List.of("Broken pipe", "closed", "Bad file descriptor");

    private final OutputStream out;

    public Output(OutputStream out) {
        this.out = new BufferedOutputStream(out, 1 << 13);
    }

    public static Output standardOutput() {
        return new Output(new FileOutputStream(FileDescriptor.out));
    }

    public static Output standardError() {
        return new Output(new FileOutputStream(FileDescriptor.err));
    }

    public void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        bytes(bytes, 0, bytes.length);
    }

    public synchronized void line(String text) {
        print(text);
        print("\n");
    }

    public synchronized void bytes(byte[] bytes, int from, int count) {
        try {
            out.write(bytes, from, count);
        } catch (IOException failed) {
            throw cannotWrite(failed);
        }
    }

    public synchronized void flush() {
        try {
            out.flush();
        } catch (IOException failed) {
            throw cannotWrite(failed);
        }
    }

    private static RuntimeException cannotWrite(IOException failed) {
        String message = String.valueOf(failed.getMessage());
        return GONE.stream().anyMatch(message::contains)
                ? new ClosedOutput()
                : Failure.refused("the output cannot be written: " + message);
    }
}
