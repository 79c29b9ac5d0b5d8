package dev.muster.cli.training;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.cli.base.Surroundings;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;

/** Answers requests on a loopback port from {@link CannedAnswers}, and is found in MUSTER_HOME like the embedded service. */
public final class CannedService implements AutoCloseable {
    private final ServerSocket socket;
    private final CannedAnswers answers = new CannedAnswers();

    private CannedService(ServerSocket socket) {
        this.socket = socket;
    }

    /** Starts it, with the files of MUSTER_HOME that lead to it. */
    public static CannedService start(Surroundings surroundings) throws IOException {
        CannedService service = new CannedService(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(service::serve, "canned service");
        thread.setDaemon(true);
        thread.start();
        ServiceHome home = new ServiceHome(surroundings.home());
        Files.writeString(home.token(), "token");
        ProcessHandle self = ProcessHandle.current();
        ServiceFile file = new ServiceFile(
                self.pid(),
                self.info().startInstant().orElseThrow(),
                "http://127.0.0.1:" + service.socket.getLocalPort(),
                home.token().toString(),
                surroundings.application().build());
        Files.writeString(home.serviceFile(), file.toJson().toString());
        return service;
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                answer(new BufferedInputStream(connection.getInputStream()), connection.getOutputStream());
            } catch (IOException ended) {
                // The client is told by the closed connection, and this ends with the socket.
            }
        }
    }

    private void answer(InputStream in, OutputStream out) throws IOException {
        String head = head(in);
        in.skipNBytes(contentLength(head));
        String[] line = head.split(" ", 3);
        CannedAnswers.Answer answer = answers.to(line[0], line[1]);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        String start =
                "HTTP/1.1 " + answer.status() + " Canned\r\nDate: Sat, 31 Jan 2026 12:00:09 GMT\r\nContent-Length: "
                        + body.length + "\r\nConnection: close\r\n\r\n";
        out.write(start.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int one = in.read();
            if (one < 0) {
                throw new IOException("the request ends too early");
            }
            head.write(one);
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    private static long contentLength(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToLong(line -> Long.parseLong(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
