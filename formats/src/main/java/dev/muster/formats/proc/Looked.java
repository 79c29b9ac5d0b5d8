package dev.muster.formats.proc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code look.sh} told of the processes of a container it ran in: their files in {@code /proc}, and their stacks.
 *
 * @param parts content by process and name; what is everybody's stands under process 0
 */
public record Looked(Map<Long, Map<String, String>> parts) implements ProcFiles {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern THREAD = Pattern.compile("task/(\\d+)/stat");
    private static final int MOST_PROCESSES = 64;

    /**
     * The command that looks.
     *
     * @param boundary a word that nothing it reads can hold
     * @param folder   where processes say which signal they answer with their stacks
     * @param main     file that holds the id of the main process
     */
    public static List<String> command(String boundary, String folder, String main) {
        try (InputStream script = Looked.class.getResourceAsStream("look.sh")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            return List.of("/bin/sh", "-c", text, "look", boundary, folder, main);
        } catch (IOException unbuilt) {
            throw new UncheckedIOException(unbuilt);
        }
    }

    /** Reads what the command wrote, also when it broke off. */
    public static Looked parse(String boundary, String output) {
        Map<Long, Map<String, String>> parts = new HashMap<>();
        String mark = "\n" + boundary + " ";
        for (int at = output.indexOf(mark); at >= 0; ) {
            int next = output.indexOf(mark, at + 1);
            String part = output.substring(at + mark.length(), next < 0 ? output.length() : next);
            int line = part.indexOf('\n');
            int blank = part.indexOf(' ');
            if (blank > 0 && blank < line) {
                parts.computeIfAbsent(Long.parseLong(part.substring(0, blank)), none -> new HashMap<>())
                        .put(part.substring(blank + 1, line), part.substring(line + 1));
            }
            at = next;
        }
        return new Looked(parts);
    }

    /**
     * Accounts of the main process and all that came of it. A container's first process, the parents of the main one, and those that
     * somebody else runs in the container (their parent is outside) are left out.
     */
    public Accounts accounts() {
        return accounts("");
    }

    /**
     * The same, where processes of a program that serves the container run beside the main one.
     *
     * @param servant path of that program inside the container, empty for none; its processes are left out
     */
    public Accounts accounts(String servant) {
        List<Account> accounts = new ArrayList<>();
        long main = text(0, "main").map(pid -> Long.parseLong(pid.strip())).orElse(0L);
        List<Long> members = members(main).stream()
                .filter(pid -> pid == main || !executable(pid).equals(Optional.of(servant)))
                .toList();
        for (long pid : members) {
            accounts.add(Account.of(this, pid, stat(pid)[0].charAt(0), busy(pid), text(pid, "stacks")));
        }
        return new Accounts(accounts, Connection.of(this, members));
    }

    private List<Long> members(long main) {
        Set<Long> known = new HashSet<>(parts.keySet());
        known.removeIf(pid -> pid == 0 || stat(pid).length < 20);
        Set<Long> parents = new HashSet<>();
        for (long pid = main; known.contains(pid) && parents.add(pid); ) {
            pid = parent(pid);
        }
        parents.remove(main);
        parents.add(1L);
        parents.remove(main == 1 ? 1L : 0L);
        List<Long> members = new ArrayList<>(known.stream()
                .filter(pid -> pid != main && !parents.contains(pid) && isInside(pid, known))
                .sorted()
                .limit(MOST_PROCESSES)
                .toList());
        if (known.contains(main)) {
            members.addFirst(main);
        }
        return members;
    }

    private boolean isInside(long process, Set<Long> known) {
        Set<Long> seen = new HashSet<>();
        long pid = process;
        while (pid != 1 && known.contains(pid) && seen.add(pid)) {
            pid = parent(pid);
        }
        return pid == 1;
    }

    private long parent(long pid) {
        return Long.parseLong(stat(pid)[1]);
    }

    /** The fields of {@code stat} from the third on; the name before may hold anything. */
    private String[] stat(long pid) {
        String text = text(pid, "stat").orElse(") ");
        return text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
    }

    /** Between the two samples. */
    private Busy busy(long pid) {
        return Busy.between(
                WantedTime.ofThreads(text(pid, "schedstat0").orElse("")),
                WantedTime.ofThreads(text(pid, "schedstat1").orElse("")),
                WantedTime.turns(text(pid, "turns0").orElse("")),
                WantedTime.turns(text(pid, "turns1").orElse("")),
                (uptime(pid, "uptime1") - uptime(pid, "uptime0")) * 1e9);
    }

    private double uptime(long pid, String name) {
        return text(pid, name)
                .map(text -> Double.parseDouble(text.split(" ")[0]))
                .orElse(0.0);
    }

    @Override
    public Optional<String> text(long pid, String file) {
        long owner = file.startsWith("net/") ? 0 : pid;
        return Optional.ofNullable(parts.getOrDefault(owner, Map.of()).get(file))
                .filter(text -> !text.isBlank());
    }

    @Override
    public List<Long> threads(long pid) {
        return parts.getOrDefault(pid, Map.of()).keySet().stream()
                .map(THREAD::matcher)
                .filter(Matcher::matches)
                .map(thread -> Long.parseLong(thread.group(1)))
                .sorted()
                .toList();
    }

    @Override
    public Set<String> sockets(long pid) {
        Set<String> inodes = new HashSet<>();
        Matcher socket = SOCKET.matcher(text(pid, "fd").orElse(""));
        while (socket.find()) {
            inodes.add(socket.group(1));
        }
        return inodes;
    }

    @Override
    public Optional<String> program(long pid) {
        return executable(pid).map(file -> file.substring(file.lastIndexOf('/') + 1));
    }

    private Optional<String> executable(long pid) {
        return text(pid, "exe").map(String::strip);
    }
}
