package dev.muster.control;

import dev.muster.control.Fault.Kind;
import dev.muster.control.Fault.Odds;
import dev.muster.spi.JobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What may go wrong with which call, and how often. What is added to a list comes last, so that the seeds keep what was drawn before it. */
final class FaultOdds {
    /** Calls that nothing goes wrong with: they reach nothing. */
    static final Set<String> SAFE = Set.of(
            "settleWindow",
            "moreSharedMemory",
            "hasOwnPython",
            "startsSingly",
            "capacity",
            "kind",
            "check",
            "close",
            "model");

    /** What only who has the lease may do. */
    static final Set<String> ACTS = Set.of(
            "Backend.place",
            "Backend.start",
            "Backend.stop",
            "Backend.sweep",
            "Backend.release",
            "Backend.remove",
            "ModelRegistry.publish");

    /** Reads of what is stored about one job. */
    static final Set<String> ROW_READS = Set.of("find", "version", "attempts");

    static final Set<String> BACKEND_READS = Set.of("observe", "jobs", "sample", "render", "evidence", "wantedCores");

    static final List<Odds> NEWS = Odds.list(new Odds(Kind.LOST, 6), new Odds(Kind.LATE, 6), new Odds(Kind.TWICE, 12));

    private static final Set<String> REPEATABLE =
            Set.of("start", "stop", "sweep", "release", "place", "remove", "publish", "collect", "prune");
    private static final Set<String> STORE_WRITES = Set.of("accept", "compareAndSet", "progress", "metrics", "delete");

    private static final List<Odds> READ = Odds.list(
            new Odds(Kind.DIE_BEFORE, 4000), new Odds(Kind.FAIL_BEFORE, 4000), new Odds(Kind.SLOW_AFTER, 1000));
    private static final List<Odds> CALL = Odds.list(
            new Odds(Kind.DIE_BEFORE, 250),
            new Odds(Kind.DIE_AFTER, 250),
            new Odds(Kind.FAIL_BEFORE, 60),
            new Odds(Kind.FAIL_AFTER, 60),
            new Odds(Kind.SLOW_BEFORE, 200),
            new Odds(Kind.SLOW_AFTER, 200));
    private static final List<Odds> REPEATABLE_CALL = with(CALL, new Odds(Kind.TWICE, 12));
    private static final List<Odds> START =
            with(REPEATABLE_CALL, new Odds(Kind.TIMED_OUT, 20), new Odds(Kind.IN_FLIGHT, 60));
    private static final List<Odds> LOOK = with(CALL, new Odds(Kind.STALE, 12), new Odds(Kind.SHUFFLED, 12));

    private FaultOdds() {}

    /** Of a call at a port. */
    static List<Odds> of(Class<?> port, String name) {
        if (port == JobStore.class) {
            return STORE_WRITES.contains(name) ? CALL : READ;
        }
        return switch (name) {
            case "observe" -> LOOK;
            case "start" -> START;
            default -> REPEATABLE.contains(name) ? REPEATABLE_CALL : CALL;
        };
    }

    private static List<Odds> with(List<Odds> odds, Odds... more) {
        List<Odds> all = new ArrayList<>(odds);
        all.addAll(List.of(more));
        return all;
    }
}
