package dev.muster.frameworks.pytorch;

import dev.muster.frameworks.CommandLine;
import dev.muster.model.Command;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a user's command becomes one of torchrun. The command says what each rank runs, so switching the launcher changes nothing else:
 *
 * <ul>
 *   <li>{@code python train.py ...} and {@code python -m module ...} become {@code python -m torch.distributed.run ...} with the same
 *       words behind;
 *   <li>a command that starts torchrun itself ({@code torchrun}, {@code python -m torch.distributed.run}, or a shell script that names
 *       one of them) is left as it is and finds its group by the PET_ variables;
 *   <li>anything else (another program, a shell script, Python with options of its own) is started by torchrun as it is, with
 *       {@code --no_python}, the spelling that every release knows.
 * </ul>
 */
final class TorchrunCommand {
    private static final Set<String> LAUNCHERS = Set.of("torch.distributed.run", "torch.distributed.launch");
    private static final Pattern NAMES_LAUNCHER =
            Pattern.compile("(^|[^\\w.-])(torchrun|torch\\.distributed\\.(run|launch))($|[^\\w.-])");

    private TorchrunCommand() {}

    static List<Template> of(Command command) {
        return of(command, List.of("-m", "torch.distributed.run"));
    }

    /** @param launcher arguments of Python that start torchrun */
    static List<Template> of(Command command, List<String> launcher) {
        if (startsTorchrun(command)) {
            return CommandLine.of(command);
        }
        List<Template> line = new ArrayList<>();
        line.add(CommandLine.python());
        line.addAll(CommandLine.texts(launcher));
        // torchrun takes a script, or -m and a module, as Python does.
        if (command instanceof Command.Exec program && program.isPythonProgram()) {
            line.addAll(
                    CommandLine.texts(program.argv().subList(1, program.argv().size())));
        } else {
            line.add(Template.text("--no_python"));
            line.addAll(CommandLine.of(command));
        }
        return line;
    }

    /** Whether the command is Python alone, which torchrun could start nothing with. */
    static boolean lacksScript(Command command) {
        return command instanceof Command.Exec program
                && program.isPython()
                && program.argv().size() == 1;
    }

    private static boolean startsTorchrun(Command command) {
        return switch (command) {
            case Command.Shell(String script) -> NAMES_LAUNCHER.matcher(script).find();
            case Command.Exec(List<String> argv) ->
                argv.getFirst().equals("torchrun")
                        || argv.getFirst().endsWith("/torchrun")
                        || argv.size() > 2 && argv.get(1).equals("-m") && LAUNCHERS.contains(argv.get(2));
        };
    }
}
