package dev.muster.model;

import java.util.List;
import java.util.Optional;

/** Names of POSIX signals as Linux numbers them, without SIG. */
public final class Signals {
    private static final List<String> NAMES = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
            "WINCH", "IO", "PWR", "SYS");

    private Signals() {}

    /** The signal that an exit code of 128 + n stands for. */
    public static Optional<String> ofExitCode(int code) {
        int number = code - 128;
        return number >= 1 && number <= NAMES.size() ? Optional.of(NAMES.get(number - 1)) : Optional.empty();
    }

    /** Whether this is a name that {@link #ofExitCode} can give. */
    public static boolean isName(String name) {
        return NAMES.contains(name);
    }
}
