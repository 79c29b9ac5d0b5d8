package dev.muster.formats.proc;

import dev.muster.formats.files.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What processes that belong together do.
 *
 * @param processes   the main one first
 * @param connections their established TCP connections
 */
public record Accounts(List<Account> processes, List<Connection> connections) {
    public Accounts {
        processes = List.copyOf(processes);
        connections = List.copyOf(connections);
    }

    /** Writes {@code summary.txt} and files for each process into the folder, in place of whatever is there. */
    public void write(Path folder) throws IOException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        StringBuilder summary = new StringBuilder();
        for (Account account : processes) {
            String name = account.pid() + "-" + account.program().replace('/', '_');
            Files.writeString(folder.resolve(name + ".txt"), account.kernelView());
            if (account.stacks().isPresent()) {
                Files.writeString(
                        folder.resolve(name + "-stacks.txt"), account.stacks().get());
            }
            summary.append(account.summary());
        }
        connections.forEach(connection -> summary.append(connection.summary()));
        Files.writeString(folder.resolve("summary.txt"), summary);
    }
}
