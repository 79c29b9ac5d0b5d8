package dev.muster.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A command that gives signals their default action back and then becomes the program named in its arguments. A service that was started
 * by nohup, or in the background of a script, ignores some; what is ignored is inherited by every program it starts, and no POSIX shell can undo
 * it. GNU env, perl and python3 can.
 */
final class DefaultSignals {
    /** Numbers on Linux of the signals that a starter may ignore, and that mean something to a training. */
    private static final Map<Integer, String> NAMES = new TreeMap<>(Map.of(
            1, "HUP", 2, "INT", 3, "QUIT", 10, "USR1", 12, "USR2", 14, "ALRM", 15, "TERM", 20, "TSTP", 25, "XFSZ"));

    private DefaultSignals() {}

    /** Names of those signals that this process ignores; none where the kernel does not tell. */
    static List<String> ignoredHere() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .findFirst()
                    .map(line -> names(Long.parseUnsignedLong(
                            line.substring("SigIgn:".length()).strip(), 16)))
                    .orElse(List.of());
        } catch (IOException noProc) {
            return List.of();
        }
    }

    private static List<String> names(long mask) {
        return NAMES.entrySet().stream()
                .filter(signal -> (mask >> (signal.getKey() - 1) & 1) != 0)
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The command, empty where there is nothing to undo, or nothing that can. */
    static List<String> command(Programs programs, List<String> ignored) {
        return ignored.isEmpty()
                ? List.of()
                : commands(programs, ignored).stream().findFirst().orElse(List.of());
    }

    /** Every command of this machine that can, the cheapest first. */
    static List<List<String>> commands(Programs programs, List<String> ignored) {
        List<List<String>> commands = new ArrayList<>();
        env(programs, ignored).ifPresent(commands::add);
        programs.find("perl")
                .map(perl -> List.of(
                        perl.toString(),
                        "-e",
                        "$SIG{$_} = 'DEFAULT' for qw(" + String.join(" ", ignored) + "); exec @ARGV"))
                .ifPresent(commands::add);
        programs.find("python3")
                .map(python -> List.of(
                        python.toString(),
                        "-ISc",
                        "import os, signal, sys\n"
                                + ignored.stream()
                                        .map(name -> "signal.signal(signal.SIG" + name + ", signal.SIG_DFL)\n")
                                        .collect(Collectors.joining())
                                + "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
                                + "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
                                + "os.execv(sys.argv[1], sys.argv[1:])"))
                .ifPresent(commands::add);
        return commands;
    }

    /** The option is GNU's, since coreutils 8.31; busybox has it not. */
    private static Optional<List<String>> env(Programs programs, List<String> ignored) {
        List<String> command = new ArrayList<>();
        command.add(programs.require("env").toString());
        command.add("--default-signal=" + String.join(",", ignored));
        List<String> trial = new ArrayList<>(command);
        trial.add("true");
        try {
            int code = new ProcessBuilder(trial)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return code == 0 ? Optional.of(command) : Optional.empty();
        } catch (IOException cannotBeRun) {
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
