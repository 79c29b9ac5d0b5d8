package dev.muster.backend.local;

import dev.muster.formats.proc.ProcFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the kernel tells about processes in {@code /proc} (proc(5)). A process may end between two calls; then there is no answer. */
final class Proc implements ProcFiles {
    private static final Path ROOT = Path.of("/proc");
    private static final int SIGTERM = 15;

    private final String boot;

    Proc() {
        try {
            boot = Files.readString(ROOT.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException without) {
            throw new UncheckedIOException("the local backend needs Linux's /proc", without);
        }
    }

    /**
     * A line of {@code /proc/PID/stat}.
     *
     * @param state one letter; Z is a zombie
     * @param start clock ticks since boot
     */
    record Stat(long pid, char state, long parent, long session, long start) {
        boolean isRunning() {
            return state != 'Z' && state != 'X';
        }
    }

    /** The id of this boot. */
    String boot() {
        return boot;
    }

    /** This process. */
    ProcessIdentity self() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, stat(pid).orElseThrow().start(), boot);
    }

    Optional<Stat> stat(long pid) {
        Optional<String> text = text(pid, "stat");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        // The name in brackets may hold anything, brackets too.
        String[] fields =
                text.get().substring(text.get().lastIndexOf(')') + 2).strip().split(" ");
        return Optional.of(new Stat(
                pid,
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19])));
    }

    /** Whether exactly this process runs. */
    boolean isRunning(ProcessIdentity process) {
        return process.boot().equals(boot) && isRunning(process.pid(), process.start());
    }

    /** Whether the process with this pid was started then, in this boot, and runs. */
    boolean isRunning(long pid, long start) {
        return stat(pid)
                .filter(stat -> stat.start() == start && stat.isRunning())
                .isPresent();
    }

    /** Every process there is. */
    List<Stat> all() {
        List<Stat> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                ROOT, entry -> Character.isDigit(entry.getFileName().toString().charAt(0)))) {
            for (Path entry : entries) {
                stat(Long.parseLong(entry.getFileName().toString())).ifPresent(all::add);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw new IllegalStateException("the local backend cannot list /proc", unreadable);
        }
        return all;
    }

    /** Whether the environment the process was started with holds this entry, such as {@code NAME=value}. */
    boolean hasVariable(long pid, String entry) {
        byte[] wanted = ("\0" + entry + "\0").getBytes(StandardCharsets.UTF_8);
        byte[] environ = bytes(pid, "environ").orElse(new byte[0]);
        String within = "\0" + new String(environ, StandardCharsets.ISO_8859_1) + "\0";
        return within.contains(new String(wanted, StandardCharsets.ISO_8859_1));
    }

    @Override
    public Optional<String> program(long pid) {
        return executable(pid).map(file -> file.getFileName().toString().replace(" (deleted)", ""));
    }

    /** The file the process runs. */
    Optional<Path> executable(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(ROOT.resolve(pid + "/exe")));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Whether the process has an action of its own for SIGTERM. */
    boolean catchesTerm(long pid) {
        return catches(pid, SIGTERM);
    }

    /** Whether the process has an action of its own for the signal. */
    boolean catches(long pid, int signal) {
        return text(pid, "status")
                .flatMap(status -> status.lines()
                        .filter(line -> line.startsWith("SigCgt:"))
                        .findFirst())
                .filter(line -> {
                    long mask = Long.parseUnsignedLong(
                            line.substring(line.indexOf(':') + 1).strip(), 16);
                    return (mask >>> (signal - 1) & 1) != 0;
                })
                .isPresent();
    }

    @Override
    public List<Long> threads(long pid) {
        List<Long> threads = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(ROOT.resolve(pid + "/task"))) {
            entries.forEach(
                    entry -> threads.add(Long.parseLong(entry.getFileName().toString())));
        } catch (IOException | DirectoryIteratorException gone) {
            return threads;
        }
        threads.sort(null);
        return threads;
    }

    @Override
    public Set<String> sockets(long pid) {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(ROOT.resolve(pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                socketInode(descriptor).ifPresent(inodes::add);
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return inodes;
        }
        return inodes;
    }

    private static Optional<String> socketInode(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("socket:[")
                    ? Optional.of(target.substring(8, target.length() - 1))
                    : Optional.empty();
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Lines of a table of the network, such as {@code net/tcp}; none when there is no such table. */
    static List<String> table(String name) {
        try {
            return new String(Files.readAllBytes(ROOT.resolve(name)), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        } catch (IOException without) {
            return List.of();
        }
    }

    @Override
    public Optional<String> text(long pid, String file) {
        return bytes(pid, file).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private static Optional<byte[]> bytes(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(ROOT.resolve(pid + "/" + file));
            return bytes.length == 0 ? Optional.empty() : Optional.of(bytes);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
