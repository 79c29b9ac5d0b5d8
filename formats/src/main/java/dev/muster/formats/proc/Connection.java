package dev.muster.formats.proc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An established TCP connection of a process, from the tables of the network namespace it lives in (proc(5), {@code net/tcp}).
 *
 * @param local  own {@code address:port}
 * @param remote the peer's
 * @param unsent bytes the peer's host has not confirmed
 * @param unread bytes that have come and were not read
 */
public record Connection(String local, String remote, long unsent, long unread) {
    private static final String ESTABLISHED = "01";

    /** Established connections that these processes hold. */
    public static List<Connection> of(ProcFiles proc, List<Long> pids) {
        Set<String> inodes = new HashSet<>();
        pids.forEach(pid -> inodes.addAll(proc.sockets(pid)));
        Set<Connection> links = new HashSet<>();
        for (long pid : pids) {
            for (String table : List.of("net/tcp", "net/tcp6")) {
                proc.text(pid, table).ifPresent(text -> text.lines().skip(1).forEach(line -> add(line, inodes, links)));
            }
        }
        List<Connection> sorted = new ArrayList<>(links);
        sorted.sort((one, other) -> one.toString().compareTo(other.toString()));
        return sorted;
    }

    /** Its line of a summary. */
    String summary() {
        return String.format(
                Locale.ROOT,
                "connection %s to %s: %d bytes not confirmed, %d not read%n",
                local,
                remote,
                unsent,
                unread);
    }

    private static void add(String line, Set<String> inodes, Set<Connection> links) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > 9 && fields[3].equals(ESTABLISHED) && inodes.contains(fields[9])) {
            String[] queues = fields[4].split(":");
            links.add(new Connection(
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
