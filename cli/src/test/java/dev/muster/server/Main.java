package dev.muster.server;

import dev.muster.api.ServiceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Stands for the service where only the command line is tested: takes the lock of MUSTER_HOME, announces itself, answers every request
 * with 204, or with what lies in {@code jobs} of its home, and ends when it is asked to. Each start leaves a file in {@code starts}.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[1]);
        if (Files.exists(home.resolve("die"))) {
            // The exit code on the first line, then what to say.
            List<String> die = Files.readAllLines(home.resolve("die"));
            die.stream().skip(1).forEach(System.out::println);
            System.exit(Integer.parseInt(die.getFirst()));
        }
        FileChannel lock =
                FileChannel.open(home.resolve("service.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        while (lock.tryLock() == null) {
            Thread.sleep(20);
        }
        long pid = ProcessHandle.current().pid();
        Files.createDirectories(home.resolve("starts"));
        Files.writeString(
                home.resolve("starts").resolve(Long.toString(pid)),
                String.join("\n", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        Files.writeString(
                home.resolve("environment"),
                String.join("\n", System.getenv().keySet().stream().sorted().toList()));
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Files.writeString(home.resolve("token"), "token-" + pid + "\n");
        ServiceFile file = new ServiceFile(
                pid,
                ProcessHandle.current().info().startInstant().orElseThrow(),
                "http://127.0.0.1:" + socket.getLocalPort(),
                home.resolve("token").toString(),
                System.getProperty("muster.build"));
        Files.writeString(home.resolve("service.json.new"), file.toJson().toString());
        Files.move(home.resolve("service.json.new"), home.resolve("service.json"), StandardCopyOption.ATOMIC_MOVE);
        while (answer(socket, home, "Bearer token-" + pid)) {
            // Until it is asked to stop.
        }
        // A real one needs a moment to end, leaves no file behind, and lets go of its home a little before it is gone.
        Files.delete(home.resolve("service.json"));
        Thread.sleep(200);
        lock.close();
        Thread.sleep(300);
        System.exit(0);
    }

    private static boolean answer(ServerSocket socket, Path home, String authorization) throws IOException {
        try (Socket connection = socket.accept()) {
            InputStream in = connection.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            int length = head.indexOf("Content-Length: ");
            if (length >= 0) {
                in.readNBytes(Integer.parseInt(head.substring(length + 16, head.indexOf("\r", length))));
            }
            boolean stop = head.indexOf("POST /v1/service/stop") == 0;
            boolean known = head.indexOf(authorization) > 0;
            Path jobs = home.resolve("jobs");
            String body = head.indexOf("GET /v1/jobs?state=") == 0 && Files.exists(jobs)
                    ? Files.readString(jobs)
                    : head.indexOf("GET /v1/jobs") == 0
                            ? "{\"items\":[],\"next\":null}"
                            : stop ? "{\"running\":true}" : "";
            String status = known ? body.isEmpty() ? "204 No Content" : "200 OK" : "401 Unauthorized";
            OutputStream out = connection.getOutputStream();
            out.write(("HTTP/1.1 " + status + "\r\nConnection: close\r\n"
                            + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n") + "\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            return !stop;
        }
    }
}
