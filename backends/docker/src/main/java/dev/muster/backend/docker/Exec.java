package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.spi.BackendException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Commands in a running container. */
record Exec(DockerApi api) {
    private static final int STDOUT = 1;

    /** Runs it and gives what it wrote to standard output. */
    String output(String container, List<String> argv) throws BackendException, Refusal {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        run(container, argv, out, DockerApi.SLOW);
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Runs it, passes on what it writes to standard output as it comes, and returns when it has ended. */
    void run(String container, List<String> argv, OutputStream out, Duration within) throws BackendException, Refusal {
        ObjectNode wanted = DockerApi.object().put("AttachStdout", true).put("AttachStderr", true);
        argv.forEach(wanted.putArray("Cmd")::add);
        String id = api.post("/containers/" + container + "/exec", wanted)
                .path("Id")
                .asString();
        ObjectNode start = DockerApi.object().put("Detach", false).put("Tty", false);
        api.post("/exec/" + id + "/start", start, within, body -> {
            copy(new DataInputStream(body), out);
            return null;
        });
    }

    /** Takes both streams apart: a byte for which, three of nothing, four for the length. */
    private static void copy(DataInputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[32 << 10];
        while (true) {
            int stream = in.read();
            if (stream < 0) {
                return;
            }
            in.skipNBytes(3);
            int left = in.readInt();
            while (left > 0) {
                int count = in.read(buffer, 0, Math.min(left, buffer.length));
                if (count < 0) {
                    throw new EOFException("the output of a command broke off");
                }
                left -= count;
                if (stream == STDOUT) {
                    out.write(buffer, 0, count);
                }
            }
            out.flush();
        }
    }
}
