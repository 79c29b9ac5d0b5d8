package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Sees from the table of TCP sockets of a container's own network whether its process listens on its port or is connected to its
 * coordinator. Every socket there is the container's, so nobody else's is taken for it.
 */
record JoinProbe(DockerApi api) {
    private static final String ESTABLISHED = "01";
    private static final String LISTENING = "0A";

    /**
     * Whether the sign is there now.
     *
     * @param sign label of the container: {@code started}, {@code listens PORT} or {@code connected PORT}
     * @param pid  its first process as dockerd knows it
     */
    boolean isThere(Found container, String sign, long pid) throws BackendException {
        String[] words = sign.split(" ");
        if (words.length != 2) {
            return true;
        }
        int port = Integer.parseInt(words[1]);
        return table(container, pid)
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(fields -> {
                    if (fields.length < 4) {
                        return false;
                    }
                    return words[0].equals("listens")
                            ? fields[3].equals(LISTENING) && port(fields[1]) == port
                            : fields[3].equals(ESTABLISHED) && port(fields[2]) == port;
                });
    }

    private static int port(String address) {
        try {
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
        } catch (NumberFormatException header) {
            return -1;
        }
    }

    private String table(Found container, long pid) throws BackendException {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            // Where dockerd is on this machine its pids are ours: the control group tells whether this one is.
            if (Files.readString(process.resolve("cgroup")).contains(container.id())) {
                return Files.readString(process.resolve("net/tcp")) + Files.readString(process.resolve("net/tcp6"));
            }
        } catch (IOException elsewhere) {
            // Asked there, then.
        }
        try {
            return new Exec(api).output(container.id(), List.of("cat", "/proc/net/tcp", "/proc/net/tcp6"));
        } catch (Refusal notNow) {
            return "";
        }
    }
}
