package dev.muster.telemetry;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The last round of a torchrun: what it and its ranks wrote since the failure before, or since Muster's own launcher told that the ranks
 * start anew. A torchrun with rounds of its own (elastic, or {@code --max-restarts}) has several in one log. When a rank has failed it says that it ends the others, which one failed first, and, when no
 * round is left, where tracebacks are (torch/distributed/elastic/multiprocessing/api.py, errors). When the group has only changed it ends
 * the ranks too, so their end alone is no failure.
 *
 * @param text all of the round
 * @param said what its ranks wrote; where torchrun says whose line it is ({@code [default0]:}), the one that failed first
 */
record LauncherEpilogue(String text, String said) {
    private static final Pattern FAILED =
            Pattern.compile("(?m)^.{0,200}failed \\(exitcode: -?\\d+\\) local_rank: (\\d{1,6}) .*\\n?");

    /** Of torchrun.py, which starts torchrun in elastic groups. */
    private static final Pattern ANEW = Pattern.compile("(?m)^muster: the ranks start anew, on \\d+ workers\\n?");

    private static final Pattern CLOSING = Pattern.compile("(?m)^.{0,200}closing signal SIG[A-Z]+.*\\n?");
    private static final String TRACEBACK = "Traceback (most recent call last)";
    private static final String NO_ROUND_LEFT = "ChildFailedError";

    /** Of the whole text where no torchrun told of a failure. */
    static LauncherEpilogue of(String whole) {
        int anew =
                ANEW.matcher(whole).results().mapToInt(MatchResult::end).max().orElse(0);
        String log = whole.substring(anew);
        MatchResult last = null;
        int begin = 0;
        for (Matcher matcher = FAILED.matcher(log); matcher.find(); ) {
            begin = last == null ? 0 : last.end();
            last = matcher.toMatchResult();
        }
        if (last == null) {
            return new LauncherEpilogue(log, log);
        }
        String text = log.substring(begin);
        String end = log.substring(last.end());
        if (!end.isBlank() && !end.contains(NO_ROUND_LEFT)) {
            return new LauncherEpilogue(text, end); // another round began, of which torchrun told no failure
        }
        String said = said(log.substring(begin, last.start()), last.group(1));
        return new LauncherEpilogue(text, said.isBlank() ? text : said);
    }

    private static String said(String round, String localRank) {
        String ofThatRank = Pattern.compile("(?m)^\\[[^\\]\\n]{0,60}(?<!\\d)" + localRank + "\\]:.*")
                .matcher(round)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
        return ofThatRank.isEmpty() ? beforeTheOthersEnd(round) : ofThatRank;
    }

    /** Ranks that torchrun ends may have words too; but an error that comes only after them is that of a group that was formed since. */
    private static String beforeTheOthersEnd(String round) {
        MatchResult first = null;
        MatchResult last = null;
        for (Matcher matcher = CLOSING.matcher(round); matcher.find(); ) {
            boolean goesOn =
                    last != null && round.substring(last.end(), matcher.start()).isBlank();
            first = goesOn ? first : matcher.toMatchResult();
            last = matcher.toMatchResult();
        }
        if (last == null) {
            return round;
        }
        String before = round.substring(0, first.start());
        String after = round.substring(last.end());
        boolean isFormedSince = after.contains(TRACEBACK) && !before.contains(TRACEBACK);
        return isFormedSince || before.isBlank() ? after : before;
    }
}
