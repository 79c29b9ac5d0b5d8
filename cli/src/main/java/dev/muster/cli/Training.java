package dev.muster.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * The run from which the build makes the ahead-of-time cache of the command line: what a usual command loads and links
 * here, the next command finds done. Add a command line to {@link #COMMANDS} to have its classes in the cache.
 */
final class Training {
    private static final List<List<String>> COMMANDS = List.of(List.of("--version"), List.of("list", "--help"));

    private Training() {}

    public static void main(String[] arguments) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        COMMANDS.forEach(command -> Main.run(command.toArray(String[]::new)));
    }
}
