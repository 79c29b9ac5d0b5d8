package dev.muster.cli.follow;

import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Answer;
import dev.muster.cli.client.Api;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One stream about a job, read on a thread of its own until the job is final and the stream over. When the stream breaks, it is
 * opened again where it was.
 */
public abstract class Feed implements Runnable {
    /** The streams there are. */
    public enum Kind {
        JOB,
        EVENTS,
        OUTPUT
    }

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long FIRST_PAUSE_MILLISECONDS = 50;
    private static final long LONGEST_PAUSE_MILLISECONDS = 5_000;

    protected final Api api;
    protected final String job;
    private final Kind kind;
    private final Consumer<Sight> sights;

    protected Feed(Kind kind, Api api, String job, Consumer<Sight> sights) {
        this.kind = kind;
        this.api = api;
        this.job = job;
        this.sights = sights;
    }

    /** Opens the stream, from where it was read to. */
    protected abstract Answer open();

    /** Reads the stream to its end. */
    protected abstract void read(InputStream in) throws IOException;

    /** The stream ended, and all of it was seen because the job is final. */
    protected void finish() {}

    protected final void see(Sight sight) {
        sights.accept(sight);
    }

    @Override
    public final void run() {
        long lostAt = 0;
        long pause = FIRST_PAUSE_MILLISECONDS;
        while (true) {
            String why = "the service ended the stream";
            try {
                try (InputStream in = open().content()) {
                    if (lostAt != 0) {
                        see(new Sight.Found());
                        lostAt = 0;
                    }
                    read(in);
                }
                if (api.jobDocument(job).isFinal()) {
                    finish();
                    see(new Sight.Ended(kind));
                    return;
                }
                pause = FIRST_PAUSE_MILLISECONDS;
            } catch (SocketTimeoutException silent) {
                // Nothing came for long, which on a busy machine means little: it is lost only when it does not answer.
                if (lostAt == 0) {
                    continue;
                }
                why = String.valueOf(silent.getMessage());
            } catch (IOException broken) {
                why = String.valueOf(broken.getMessage());
            } catch (Failure failure) {
                boolean tooLong = lostAt != 0 && System.nanoTime() - lostAt > PATIENCE.toNanos();
                if (failure.exitCode() != ExitCode.NOT_REACHED || tooLong) {
                    see(new Sight.Broken(failure));
                    return;
                }
                why = failure.problem().detail();
            }
            if (lostAt == 0) {
                lostAt = System.nanoTime();
                see(new Sight.Lost(why));
            }
            if (!sleep(pause)) {
                return;
            }
            pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS);
        }
    }

    private static boolean sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
            return true;
        } catch (InterruptedException over) {
            return false;
        }
    }
}
