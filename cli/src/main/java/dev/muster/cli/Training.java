package dev.muster.cli;

import dev.muster.cli.base.Output;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.training.CannedService;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The run from which the build makes the ahead-of-time cache of the command line: what a usual command loads and links
 * here, the next command finds done. Add a command line to {@link #COMMANDS} to have its classes in the cache.
 */
final class Training {
    private static final List<String> COMMANDS = List.of(
            "--version",
            "help",
            "list --help",
            "list",
            "list",
            "list -o json",
            "get kx1",
            "get kx1 -o json",
            "wait kx1",
            "logs kx1",
            "logs kx1 -f",
            "events kx1",
            "events kx1 -f",
            "cancel kx1",
            "models",
            "queues",
            "local status",
            "submit job.yaml",
            "submit job.yaml -o json",
            "run job.yaml",
            "run job.yaml -o json",
            "plan job.yaml",
            "lits",
            "get nosuch",
            "doctor");

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        Surroundings surroundings = Surroundings.ofThisProcess();
        Path folder = Files.createDirectories(surroundings.home());
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(work.resolve("job.yaml"), "name: hello\ncode: .\n");
        Surroundings there = new Surroundings(surroundings.variables(), work, surroundings.application());
        try (CannedService _ = CannedService.start(surroundings)) {
            for (String command : COMMANDS) {
                Output nowhere = new Output(OutputStream.nullOutputStream());
                Main.program(there, nowhere, nowhere).run(List.of(command.split(" ")));
            }
        }
    }
}
