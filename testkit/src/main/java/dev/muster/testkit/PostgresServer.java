package dev.muster.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * A real PostgreSQL of a test's own: on a free port of the loopback address, its data in a folder that goes with it. Its programs come from
 * an artifact of the build, so it runs wherever the build does, on another machine than x86-64 from what is installed. As root it gives up
 * root's rights, without which PostgreSQL refuses to run. Users need no password; the one there is is called {@code muster}.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String PACKED = "/postgres-linux-x86_64.txz";
    private static final String NOBODY = "65534";
    private static final int TRIES = 5;

    private final Path folder;
    private final Path programs;
    private final List<String> settings;
    private int port;
    private Process process;

    /** The last lines of its log. */
    private final Deque<String> log = new ArrayDeque<>();

    private PostgresServer(Path folder, List<String> settings) throws IOException, InterruptedException {
        this.folder = folder;
        this.settings = settings;
        this.programs = programs(folder);
        Files.createDirectory(data());
        run("chown", "-R", owner(), data().toString());
        List<String> make = new ArrayList<>(asNobody());
        make.addAll(List.of(programs.resolve("initdb").toString(), "-D", data().toString(), "-U", "muster"));
        make.addAll(List.of("-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"));
        run(make.toArray(String[]::new));
    }

    /**
     * Starts one.
     *
     * @param settings of its configuration, as {@code name=value}; it does not wait for the disk unless one says so
     */
    public static PostgresServer start(String... settings) {
        try {
            Path folder = Files.createTempDirectory("muster-postgres");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            PostgresServer server = new PostgresServer(folder, List.of(settings));
            server.restart();
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    public int port() {
        return port;
    }

    /** The JDBC URL of one of its databases; {@code postgres} is always there. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** Starts it again over its data, on the same port, after {@link #kill}. */
    public void restart() throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            if (port == 0) {
                port = freePort();
            }
            if (launched()) {
                return;
            }
            if (tries == TRIES) {
                throw new IllegalStateException("PostgreSQL does not start; it said:\n" + String.join("\n", log));
            }
            Thread.sleep(200);
        }
    }

    private boolean launched() throws IOException {
        List<String> command = new ArrayList<>(asNobody());
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data().toString()));
        command.addAll(List.of("-p", String.valueOf(port), "-c", "listen_addresses=127.0.0.1"));
        command.addAll(List.of("-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "shared_buffers=32MB"));
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader said = process.inputReader();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            note(line);
            if (line.contains("ready to accept connections")) {
                Thread.ofVirtual().start(() -> said.lines().forEach(this::note));
                return true;
            }
        }
        return false;
    }

    private void note(String line) {
        synchronized (log) {
            log.add(line);
            if (log.size() > 200) {
                log.removeFirst();
            }
        }
    }

    /** kill -9 of all of it, in the middle of whatever it does. */
    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
    }

    /** Ends it with all its connections and removes its data. */
    @Override
    public void close() {
        try {
            run("kill", "-INT", String.valueOf(process.pid()));
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                kill();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Files of its data that hold these bytes as they are, logs of changes included. */
    public List<Path> find(String text) {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        try (Stream<Path> files = Files.walk(data())) {
            List<Path> found = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains(new String(wanted, StandardCharsets.ISO_8859_1))) {
                    found.add(file);
                }
            }
            return found;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static String owner() {
        return isRoot() ? NOBODY + ":" + NOBODY : System.getProperty("user.name");
    }

    private static List<String> asNobody() {
        return isRoot()
                ? List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--")
                : List.of();
    }

    private static Path programs(Path folder) throws IOException, InterruptedException {
        InputStream packed = PostgresServer.class.getResourceAsStream(PACKED);
        if (packed == null || !System.getProperty("os.arch").equals("amd64")) {
            return installed();
        }
        Path place = Files.createDirectory(folder.resolve("programs"));
        Process tar = new ProcessBuilder("tar", "-xf", "-", "-C", place.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream from = new XZInputStream(packed);
                OutputStream to = tar.getOutputStream()) {
            from.transferTo(to);
        }
        if (tar.waitFor() != 0) {
            throw new IOException("the programs of PostgreSQL could not be unpacked into " + place);
        }
        return place.resolve("bin");
    }

    private static Path installed() throws IOException {
        Path all = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(all)) {
            try (Stream<Path> versions = Files.list(all)) {
                Path newest = versions.map(version -> version.resolve("bin"))
                        .filter(Files::isDirectory)
                        .max(Comparator.naturalOrder())
                        .orElse(all);
                if (Files.isExecutable(newest.resolve("postgres"))) {
                    return newest;
                }
            }
        }
        throw new IOException("this test needs PostgreSQL, and there is none for " + System.getProperty("os.arch")
                + ": install Debian's package postgresql");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
    }
}
