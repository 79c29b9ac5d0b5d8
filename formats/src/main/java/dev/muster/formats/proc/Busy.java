package dev.muster.formats.proc;

/**
 * How busy a process was during a short sample.
 *
 * @param cores cores it wanted: time its threads ran or waited for a core, by the time that passed
 * @param wakes how often in a second its main thread was given a core; 0 where that is not told
 */
public record Busy(double cores, double wakes) {
    /** Between two looks; what a thread that has ended in between had wanted does not count against it. */
    public static Busy between(long wantedBefore, long wantedNow, long turnsBefore, long turnsNow, double nanoseconds) {
        return nanoseconds <= 0
                ? new Busy(0, 0)
                : new Busy(
                        Math.max(0, wantedNow - wantedBefore) / nanoseconds,
                        Math.max(0, turnsNow - turnsBefore) * 1e9 / nanoseconds);
    }
}
