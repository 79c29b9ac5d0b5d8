package dev.muster.telemetry;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows how launchers say that a child of theirs was killed from outside: by signal INT, KILL or TERM, the codes 130, 137 and 143.
 * Only the child that failed first counts, since a launcher ends the others itself.
 *
 * <ul>
 *   <li>torchrun: the block "Root Cause (first observed failure)" with "exitcode : -9 (pid: ...)"; before it comes, the line
 *       "failed (exitcode: -9) local_rank: ..." (torch/distributed/elastic/multiprocessing: api.py, errors).
 *   <li>horovodrun: "The first process to do so was: Process name: ... Exit code: 137"; before it comes, the line "Process 1 exit
 *       with status code 137." (horovod/runner/gloo_run.py).
 *   <li>mpirun of Open MPI, and prterun: "noticed that process rank 1 with PID ... on node ... exited on signal 9 (Killed)."
 *       (help-orterun.txt, help-prun.txt); its lines may be broken anywhere.
 *   <li>mpiexec of MPICH and Intel MPI: "EXIT STRING: Killed (signal 9)", "KILLED BY SIGNAL: 9 (Killed)".
 *   <li>of a daemon of mpirun: {@link LostDaemon}.
 * </ul>
 */
final class KilledChild {
    /** INT, KILL, TERM. */
    private static final Set<Integer> FROM_OUTSIDE = Set.of(2, 9, 15);

    /** Ways of telling, the most certain first; the first that is found decides. */
    private static final List<Way> WAYS = List.of(
            code("Root Cause (first observed failure):", "[^\\S\\n]*\\n(?:.*\\n){1,8}?.*exitcode\\s*: (-?\\d+)\\b"),
            code(
                    "The first process to do so was:",
                    "\\s{1,9}Process name: .{1,200}\\n.{0,40}Exit code:\\s{1,9}(\\d+)\\b"),
            code("failed (exitcode: ", "(-?\\d+)\\) local_rank: \\d+"),
            code(" exit with status code ", "(\\d+)\\."),
            signal(
                    "noticed that",
                    " (?:process|job) rank \\d+ with PID \\d+ on node \\S{1,255} exited on signal (\\d+)\\b"
                            .replace(" ", "\\s{1,40}")),
            signal("EXIT STRING: ", ".{1,40}\\(signal (\\d+)\\)"),
            signal("KILLED BY SIGNAL: ", "(\\d+) \\("),
            code(LostDaemon.WITH_CODE, "(\\d+): "));

    /**
     * One way of telling: words that are searched first, since that is fast, and how it goes on. Group 1 is the number of a signal,
     * or an exit code: negative or above 128 for a signal.
     */
    private record Way(String words, Pattern goesOn, boolean isSignal) {
        Optional<Integer> signal(String text) {
            Matcher matcher = goesOn.matcher(text);
            for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
                if (matcher.region(at + words.length(), text.length()).lookingAt()) {
                    return number(matcher.group(1))
                            .map(number -> isSignal ? number : number < 0 ? -number : number - 128);
                }
            }
            return Optional.empty();
        }

        private static Optional<Integer> number(String digits) {
            try {
                return Optional.of(Integer.parseInt(digits));
            } catch (NumberFormatException tooLong) {
                return Optional.empty();
            }
        }
    }

    private KilledChild() {}

    private static Way code(String words, String goesOn) {
        return new Way(words, Pattern.compile(goesOn), false);
    }

    private static Way signal(String words, String goesOn) {
        return new Way(words, Pattern.compile(goesOn), true);
    }

    static boolean isToldIn(String text) {
        return WAYS.stream()
                .map(way -> way.signal(text))
                .flatMap(Optional::stream)
                .findFirst()
                .map(FROM_OUTSIDE::contains)
                .orElse(false);
    }
}
