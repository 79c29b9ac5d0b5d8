package dev.muster.server.failpoint;

import dev.muster.store.CommitHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happens at each moment. Any thread may pass one. */
abstract class Moments implements CommitHook {
    private static final Pattern HALT = Pattern.compile("halt:([A-Za-z.]+)(?:#([1-9][0-9]{0,5}))?");
    private static final Pattern RECORD = Pattern.compile("record:(/.+)");
    private static final Pattern SLOW = Pattern.compile("slow:([0-9]{1,4})");

    /** As of a process that was killed by SIGKILL. */
    private static final int KILLED = 137;

    abstract void pass(String name);

    @Override
    public void before() {
        pass("commit.before");
    }

    @Override
    public void after() {
        pass("commit.after");
    }

    static Optional<Moments> read(String text) {
        Matcher halt = HALT.matcher(text);
        if (halt.matches()) {
            int count = halt.group(2) == null ? 1 : Integer.parseInt(halt.group(2));
            return Optional.of(new Halting(halt.group(1), count));
        }
        Matcher record = RECORD.matcher(text);
        if (record.matches()) {
            return Optional.of(new Recording(Path.of(record.group(1))));
        }
        Matcher slow = SLOW.matcher(text);
        return slow.matches() ? Optional.of(new Slow(Long.parseLong(slow.group(1)))) : Optional.empty();
    }

    /** Ends the process without any of the order of an exit. */
    private static final class Halting extends Moments {
        private final String name;
        private final int count;
        private final AtomicInteger passed = new AtomicInteger();

        Halting(String name, int count) {
            this.name = name;
            this.count = count;
        }

        @Override
        void pass(String at) {
            if (at.equals(name) && passed.incrementAndGet() == count) {
                Runtime.getRuntime().halt(KILLED);
            }
        }
    }

    private static final class Recording extends Moments {
        private final Path file;

        Recording(Path file) {
            this.file = file;
        }

        @Override
        synchronized void pass(String name) {
            try {
                Files.writeString(file, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private static final class Slow extends Moments {
        private final long nanos;

        Slow(long millis) {
            nanos = millis * 1_000_000;
        }

        @Override
        void pass(String name) {
            long end = System.nanoTime() + nanos;
            for (long left = nanos; name.equals("commit.before") && left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
