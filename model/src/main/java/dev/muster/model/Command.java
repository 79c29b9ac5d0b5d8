package dev.muster.model;

import java.util.List;

/** What a process runs. */
public sealed interface Command {
    /** Passed to the system as it is. */
    record Exec(List<String> argv) implements Command {
        public Exec {
            Texts.require(!argv.isEmpty() && !argv.getFirst().isEmpty(), "a command has at least a program");
            argv = List.copyOf(argv);
        }

        /** Whether its program is the job's Python: {@code python} or {@code python3}. */
        public boolean isPython() {
            return argv.getFirst().equals("python") || argv.getFirst().equals("python3");
        }

        /** Whether its program is the job's Python with a script, or with {@code -m} and a module, and no option of Python before them. */
        public boolean isPythonProgram() {
            return isPython()
                    && (argv.size() > 1 && !argv.get(1).startsWith("-")
                            || argv.size() > 2 && argv.get(1).equals("-m"));
        }
    }

    /** Goes through {@code bash -o pipefail -c} where bash is, else {@code sh -c}. */
    record Shell(String script) implements Command {
        public Shell {
            Texts.require(!script.isBlank(), "a command is not empty");
        }
    }
}
