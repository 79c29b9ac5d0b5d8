package dev.muster.backend.local;

import dev.muster.spi.Evidence.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** TCP connections of processes, from the tables of the network namespace they live in (proc(5), {@code net/tcp}). */
final class Connections {
    private static final String ESTABLISHED = "01";

    private Connections() {}

    /** Established connections that these processes hold. */
    static List<Link> of(Proc proc, List<Long> pids) {
        Set<String> inodes = new HashSet<>();
        pids.forEach(pid -> inodes.addAll(proc.sockets(pid)));
        Set<Link> links = new HashSet<>();
        for (long pid : pids) {
            for (String table : List.of("net/tcp", "net/tcp6")) {
                proc.text(pid, table).ifPresent(text -> text.lines().skip(1).forEach(line -> add(line, inodes, links)));
            }
        }
        List<Link> sorted = new ArrayList<>(links);
        sorted.sort((one, other) -> one.toString().compareTo(other.toString()));
        return sorted;
    }

    private static void add(String line, Set<String> inodes, Set<Link> links) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > 9 && fields[3].equals(ESTABLISHED) && inodes.contains(fields[9])) {
            String[] queues = fields[4].split(":");
            links.add(new Link(
                    address(fields[1]),
                    address(fields[2]),
                    Long.parseLong(queues[0], 16),
                    Long.parseLong(queues[1], 16)));
        }
    }

    /** {@code address:port} of the kernel's spelling: words of four bytes, each in the machine's (little-endian) order. */
    private static String address(String spelled) {
        int colon = spelled.indexOf(':');
        String hex = spelled.substring(0, colon);
        int port = Integer.parseInt(spelled.substring(colon + 1), 16);
        byte[] bytes = new byte[hex.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            int from = at / 4 * 4 + 3 - at % 4;
            bytes[at] = (byte) Integer.parseInt(hex.substring(2 * from, 2 * from + 2), 16);
        }
        return text(bytes) + ":" + port;
    }

    private static String text(byte[] bytes) {
        try {
            String text = java.net.InetAddress.getByAddress(bytes).getHostAddress();
            return bytes.length == 16 && text.contains(":") ? "[" + text + "]" : text;
        } catch (java.net.UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
