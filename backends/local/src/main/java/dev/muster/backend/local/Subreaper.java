package dev.muster.backend.local;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A command that makes itself the parent of its orphaned descendants (prctl(2), PR_SET_CHILD_SUBREAPER) and then becomes the program
 * named in its arguments; the attribute survives exec. A shell cannot do it, perl and python3 can.
 */
final class Subreaper {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    /** Number of the system call prctl. */
    private static final Map<String, Integer> PRCTL =
            Map.of("amd64", 157, "x86_64", 157, "aarch64", 167, "riscv64", 167, "ppc64le", 171, "s390x", 172);

    private Subreaper() {}

    /** The command, empty where neither program is there. */
    static Optional<List<String>> command(Programs programs) {
        return Stream.concat(perl(programs).stream(), python(programs).stream()).findFirst();
    }

    private static Optional<List<String>> perl(Programs programs) {
        Integer number = PRCTL.get(System.getProperty("os.arch").toLowerCase(Locale.ROOT));
        if (number == null) {
            return Optional.empty();
        }
        String script = "syscall(" + number + ", " + PR_SET_CHILD_SUBREAPER + ", 1, 0, 0, 0); exec @ARGV";
        return programs.find("perl").map(perl -> List.of(perl.toString(), "-e", script));
    }

    private static Optional<List<String>> python(Programs programs) {
        String script = "import ctypes, os, sys; ctypes.CDLL(None).prctl(" + PR_SET_CHILD_SUBREAPER
                + ", 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])";
        return programs.find("python3").map(python -> List.of(python.toString(), "-ISc", script));
    }
}
