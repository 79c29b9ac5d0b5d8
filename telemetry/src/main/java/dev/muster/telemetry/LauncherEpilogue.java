package dev.muster.telemetry;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What torchrun writes once a rank of its has failed: that it ends the others, which one failed first, and a box that says
 * where no traceback was kept (torch/distributed/elastic/multiprocessing/api.py, errors). What the rank itself said stands before it.
 */
final class LauncherEpilogue {
    private static final Pattern BEGINS =
            Pattern.compile("(?m)^.{0,200}(?:closing signal SIG[A-Z]+|failed \\(exitcode: -?\\d+\\) local_rank: \\d+)");

    private LauncherEpilogue() {}

    /** Where it begins; the length of the text when there is none, or nothing else. */
    static int start(String text) {
        Matcher matcher = BEGINS.matcher(text);
        boolean after = matcher.find() && !text.substring(0, matcher.start()).isBlank();
        return after ? matcher.start() : text.length();
    }
}
