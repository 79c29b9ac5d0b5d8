package dev.muster.server.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Tells in the log of connections that were closed to make room, a line a minute at most however many there were. */
final class CutOffs {
    private static final Logger LOG = System.getLogger(CutOffs.class.getName());
    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private long untold;
    private long last = System.nanoTime() - PAUSE;

    /** @param most connections that are open */
    synchronized void toldOf(int most) {
        untold++;
        long now = System.nanoTime();
        if (now - last >= PAUSE) {
            LOG.log(
                    Level.WARNING,
                    most + " connections are open; those that ask nothing are closed for each new one, " + untold
                            + " since this was told last. Clients that send no request, or a proxy that keeps too many?");
            last = now;
            untold = 0;
        }
    }
}
