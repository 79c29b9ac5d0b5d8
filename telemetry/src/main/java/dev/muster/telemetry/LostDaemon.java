package dev.muster.telemetry;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Knows the line in which Muster's stand-in for ssh says that a daemon of mpirun is gone (rsh.py of the framework mpi). mpirun ends of it with
 * a page of all that may be the matter, in which nothing of this case stands (help-errmgr-base.txt, help-prte-runtime.txt).
 */
final class LostDaemon {
    static final String WITH_CODE = ": Open MPI's daemon ended with exit code ";
    static final String WITHOUT = ": the connection to its agent has ended";
    private static final Pattern LINE =
            Pattern.compile("(?m)^[\\w-]{1,300}(?:" + WITH_CODE + "\\d{1,3}: .*|" + WITHOUT + ")$");
    private static final List<String> PAGES = List.of(
            "was unable to reliably start one or more daemons",
            "has lost communication with a remote daemon",
            "A daemon failed to report back after being spawned");
    /** More than such pages have. */
    private static final int LONGEST = 4096;

    private LostDaemon() {}

    /** The log up to the first such line of which mpirun ended; all of it where there is none. */
    static String upToItIn(String log) {
        return LINE.matcher(log)
                .results()
                .map(MatchResult::end)
                .filter(end -> isOnlyMpiruns(log.substring(end)))
                .findFirst()
                .map(end -> log.substring(0, end))
                .orElse(log);
    }

    private static boolean isOnlyMpiruns(String rest) {
        return rest.length() <= LONGEST && PAGES.stream().anyMatch(rest::contains);
    }
}
