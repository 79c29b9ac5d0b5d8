package dev.muster.backend.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sees from the kernel's tables of TCP sockets ({@code /proc/net/tcp}, one read for any number of processes) whether a process listens on
 * its port or is connected to its coordinator.
 */
final class JoinProbe {
    private static final String ESTABLISHED = "01";
    private static final String LISTENING = "0A";

    private final List<Socket> sockets = new ArrayList<>();
    private final Proc proc;

    private record Socket(int localPort, int remotePort, String state, String inode) {}

    /** Reads the tables once. */
    JoinProbe(Proc proc) {
        this.proc = proc;
        for (String name : List.of("net/tcp", "net/tcp6")) {
            Proc.table(name).stream().skip(1).forEach(this::add);
        }
    }

    private void add(String line) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > 9 && (fields[3].equals(LISTENING) || fields[3].equals(ESTABLISHED))) {
            sockets.add(new Socket(port(fields[1]), port(fields[2]), fields[3], fields[9]));
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }

    /** Inodes of the sockets that show the sign, whoever has them. */
    Set<String> candidates(JoinSign sign) {
        Set<String> inodes = new HashSet<>();
        for (Socket socket : sockets) {
            boolean shows = switch (sign) {
                case JoinSign.Started() -> false;
                case JoinSign.Listens(int port) -> socket.state().equals(LISTENING) && socket.localPort() == port;
                case JoinSign.Connected(int port) -> socket.state().equals(ESTABLISHED) && socket.remotePort() == port;
            };
            if (shows) {
                inodes.add(socket.inode());
            }
        }
        return inodes;
    }

    /** Whether one of these processes has one of these sockets open. */
    boolean holds(List<Long> processes, Set<String> inodes) {
        return processes.stream().anyMatch(pid -> proc.sockets(pid).stream().anyMatch(inodes::contains));
    }
}
