package dev.muster.telemetry;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows the page that mpirun of Open MPI 4 and prterun of Open MPI 5 print below all that ranks said when one of them has ended with an error
 * (help-orterun.txt, help-prun.txt). It tells an exit code and no reason.
 */
final class MpirunPage {
    private static final String WORDS = " detected that one or more processes exited with non-zero status";
    private static final String RULE = "-{60,80}\\R";
    private static final Pattern PAGE = Pattern.compile("(?m)^" + RULE
            + "(?:Primary job {1,4}terminated normally(?:.*\\R){1,6}?" + RULE + "(?:" + RULE + ")?)?"
            + "\\S{1,40}" + WORDS);

    private MpirunPage() {}

    /** The log above such a page; all of it where there is none, or nothing above it. */
    static String aboveItIn(String log) {
        Matcher page = PAGE.matcher(log);
        String above = log.contains(WORDS) && page.find() ? log.substring(0, page.start()) : log;
        return above.isBlank() ? log : above;
    }
}
