package dev.muster.formats.proc;

import java.util.Optional;

/**
 * How much processor time a process has wanted so far: what its threads ran, and waited for a core to run on, so that the answer is the same
 * on a machine that is busy with something else (proc(5), {@code schedstat}; without it, what they ran).
 */
public final class WantedTime {
    private static final long NANOS_A_TICK = 10_000_000;

    private WantedTime() {}

    /** In nanoseconds. */
    public static long of(ProcFiles proc, long pid) {
        return proc.threads(pid).stream()
                .mapToLong(thread -> proc.text(pid, "task/" + thread + "/schedstat")
                        .flatMap(WantedTime::wanted)
                        .or(() -> proc.text(pid, "task/" + thread + "/stat").map(WantedTime::ran))
                        .orElse(0L))
                .sum();
    }

    /** The same of the {@code schedstat} of all its threads, a line each. */
    static long ofThreads(String schedstats) {
        return schedstats.lines().mapToLong(line -> wanted(line).orElse(0L)).sum();
    }

    /** How often the main thread was given a core so far; 0 where that is not told. */
    public static long turns(ProcFiles proc, long pid) {
        return proc.text(pid, "task/" + pid + "/schedstat")
                .map(WantedTime::turns)
                .orElse(0L);
    }

    /** The same of its {@code schedstat}. */
    static long turns(String schedstat) {
        String[] fields = schedstat.strip().split(" ");
        return fields.length < 3 ? 0 : Long.parseLong(fields[2]);
    }

    private static Optional<Long> wanted(String schedstat) {
        String[] fields = schedstat.strip().split(" ");
        return fields.length < 2
                ? Optional.empty()
                : Optional.of(Long.parseLong(fields[0]) + Long.parseLong(fields[1]));
    }

    private static long ran(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_A_TICK;
    }
}
