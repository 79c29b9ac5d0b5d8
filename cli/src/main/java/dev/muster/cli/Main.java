package dev.muster.cli;

import dev.muster.cli.base.Output;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.command.Interrupts;
import dev.muster.cli.command.Program;
import dev.muster.cli.command.Session;
import dev.muster.cli.screen.SystemScreen;
import java.util.List;

/** Entry point of the command line. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        Program program = program(Surroundings.ofThisProcess(), Output.standardOutput(), Output.standardError());
        System.exit(program.run(List.of(arguments)).number());
    }

    /** The command line in this JVM. */
    static Program program(Surroundings surroundings, Output out, Output err) {
        return new Program(
                surroundings,
                new Session.Console(System.in, out, err, new SystemScreen(surroundings), Interrupts.ofThisProcess()));
    }
}
