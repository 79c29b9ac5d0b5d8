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
    }

    /** Goes through {@code bash -o pipefail -c} where bash is, else {@code sh -c}. */
    record Shell(String script) implements Command {
        public Shell {
            Texts.require(!script.isBlank(), "a command is not empty");
        }
    }
}
