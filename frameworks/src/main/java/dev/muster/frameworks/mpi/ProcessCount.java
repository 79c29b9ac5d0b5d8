package dev.muster.frameworks.mpi;

import dev.muster.model.Command;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many processes a command of an MPI launcher asks for. */
final class ProcessCount {
    private static final String LAUNCHERS = "mpirun|mpiexec|orterun|horovodrun";
    private static final String OPTIONS = "-np|--np|-n|--n|-c";
    private static final Pattern LAUNCHER = Pattern.compile("(.*/)?(" + LAUNCHERS + ")");
    private static final Pattern OPTION = Pattern.compile(OPTIONS);
    private static final Pattern IN_SCRIPT = Pattern.compile(
            "(?:^|[\\s;&|(/])(?:" + LAUNCHERS + ")\\s+(?:\\S+\\s+)*?(?:" + OPTIONS + ")\\s+(\\d{1,6})(?:\\s|$)");

    private ProcessCount() {}

    /** The number behind {@code -np} or a spelling of it; empty when there is none, or more than one launcher in a script. */
    static Optional<Integer> of(Command command) {
        return switch (command) {
            case Command.Exec(List<String> argv) ->
                LAUNCHER.matcher(argv.getFirst()).matches() ? behindOption(argv) : Optional.empty();
            case Command.Shell(String script) -> inScript(script);
        };
    }

    private static Optional<Integer> behindOption(List<String> argv) {
        for (int index = 1; index + 1 < argv.size(); index++) {
            if (OPTION.matcher(argv.get(index)).matches() && argv.get(index + 1).matches("\\d{1,6}")) {
                return Optional.of(Integer.parseInt(argv.get(index + 1)));
            }
            if (!argv.get(index).startsWith("-") && argv.get(index).startsWith("python")) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Optional<Integer> inScript(String script) {
        Matcher matcher = IN_SCRIPT.matcher(script);
        if (!matcher.find()) {
            return Optional.empty();
        }
        int count = Integer.parseInt(matcher.group(1));
        return matcher.find() ? Optional.empty() : Optional.of(count);
    }
}
