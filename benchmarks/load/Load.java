import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load for a running service, by plain sockets that stay open, so that the load costs little beside what it measures. Run from source:
 *
 * <pre>java Load.java submit ADDRESS TOKEN PREFIX CLIENTS COUNT LINE...</pre>
 *
 * <p>submits COUNT jobs of the given lines (each named PREFIX and a number) by CLIENTS clients, while one more client asks for one unrelated job every 5 ms, and prints
 * one JSON line: {@code count, seconds, submitP50Ms, submitP99Ms, gets, getP50Ms, getP99Ms, getMaxMs, lateP99Ms,
 * failed}; {@code lateP99Ms} is how much too late a plain sleep of 5 ms ended: what the machine itself adds to each figure.
 *
 * <pre>java Load.java cancel ADDRESS TOKEN CLIENTS</pre>
 *
 * <p>cancels each job whose id is a line of standard input.
 */
public final class Load {
    private final String host;
    private final int port;
    private final String token;
    private final AtomicLong failed = new AtomicLong();

    private Load(String address, String token) {
        URI uri = URI.create(address);
        this.host = uri.getHost();
        this.port = uri.getPort();
        this.token = token;
    }

    public static void main(String[] words) throws Exception {
        Load load = new Load(words[1], words[2]);
        if (words[0].equals("submit")) {
            String text = String.join("\n", Arrays.asList(words).subList(6, words.length));
            load.submit(words[3], Integer.parseInt(words[4]), Integer.parseInt(words[5]), text);
        } else {
            List<String> ids = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            load.cancel(ids, Integer.parseInt(words[3]));
        }
        System.exit(load.failed.get() == 0 ? 0 : 1);
    }

    private void submit(String prefix, int clients, int count, String text) throws Exception {
        String unrelated;
        try (Connection first = new Connection()) {
            String answer = first.post("/v1/jobs", request(prefix + "x", text));
            unrelated = answer.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
            for (int warm = 0; warm < 200; warm++) {
                first.get("/v1/jobs/" + unrelated);
            }
        }
        ConcurrentLinkedQueue<Long> gets = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Long> sleeps = new ConcurrentLinkedQueue<>();
        Thread asking = Thread.ofPlatform().daemon().start(() -> ask(unrelated, gets, sleeps));
        long begun = System.nanoTime();
        List<Long> took = together(clients, count, (connection, number) ->
                connection.post("/v1/jobs", request(prefix + number, text)));
        double seconds = (System.nanoTime() - begun) / 1e9;
        asking.interrupt();
        asking.join();
        long[] submits = took.stream().mapToLong(Long::longValue).sorted().toArray();
        long[] late = sleeps.stream().mapToLong(Long::longValue).sorted().toArray();
        long[] reads = gets.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                "{\"count\":%d,\"seconds\":%.3f,\"submitP50Ms\":%.2f,\"submitP99Ms\":%.2f,\"gets\":%d,\"getP50Ms\":%.2f,"
                        + "\"getP99Ms\":%.2f,\"getMaxMs\":%.2f,\"lateP99Ms\":%.2f,\"failed\":%d}%n",
                submits.length, seconds, at(submits, 0.5), at(submits, 0.99), reads.length, at(reads, 0.5), at(reads, 0.99),
                at(reads, 1), at(late, 0.99), failed.get());
    }

    private void cancel(List<String> ids, int clients) throws Exception {
        together(clients, ids.size(), (connection, number) -> connection.post("/v1/jobs/" + ids.get(number) + "/cancel", ""));
    }

    private interface Request {
        void send(Connection connection, int number) throws IOException;
    }

    /** Sends all requests, each client on its own connection; how long each took, in nanoseconds. */
    private List<Long> together(int clients, int count, Request request) throws InterruptedException {
        ConcurrentLinkedQueue<Long> took = new ConcurrentLinkedQueue<>();
        AtomicLong next = new AtomicLong();
        CountDownLatch done = new CountDownLatch(clients);
        for (int client = 0; client < clients; client++) {
            Thread.ofPlatform().start(() -> {
                try (Connection connection = new Connection()) {
                    for (long number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                        long begun = System.nanoTime();
                        request.send(connection, (int) number);
                        took.add(System.nanoTime() - begun);
                    }
                } catch (IOException broken) {
                    System.err.println(broken);
                    failed.incrementAndGet();
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        return new ArrayList<>(took);
    }

    private void ask(String id, ConcurrentLinkedQueue<Long> took, ConcurrentLinkedQueue<Long> sleeps) {
        try (Connection connection = new Connection()) {
            while (!Thread.currentThread().isInterrupted()) {
                long begun = System.nanoTime();
                connection.get("/v1/jobs/" + id);
                took.add(System.nanoTime() - begun);
                long slept = System.nanoTime();
                Thread.sleep(5);
                sleeps.add(System.nanoTime() - slept - 5_000_000);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            System.err.println(broken);
            failed.incrementAndGet();
        }
    }

    private static String request(String name, String text) {
        String whole = "name: " + name + "\n" + text + "\n";
        return "{\"text\":\"" + whole.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                + "\",\"folder\":\"/tmp\",\"path\":\"/usr/bin:/bin\"}";
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? -1 : sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)] / 1e6;
    }

    /** One connection that stays open. Answers are told apart by Content-Length or by chunks. */
    private final class Connection implements AutoCloseable {
        private final Socket socket = new Socket(host, port);
        private final InputStream in = new BufferedInputStream(socket.getInputStream(), 16384);
        private final OutputStream out = socket.getOutputStream();

        Connection() throws IOException {
            socket.setTcpNoDelay(true);
        }

        String get(String path) throws IOException {
            return send("GET", path, "");
        }

        String post(String path, String body) throws IOException {
            return send("POST", path, body);
        }

        private String send(String method, String path, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String head = method + " " + path + " HTTP/1.1\r\nHost: " + host + ":" + port + "\r\nAuthorization: Bearer " + token
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n\r\n";
            byte[] first = head.getBytes(StandardCharsets.US_ASCII);
            byte[] whole = Arrays.copyOf(first, first.length + bytes.length);
            System.arraycopy(bytes, 0, whole, first.length, bytes.length);
            out.write(whole);
            out.flush();
            String status = line();
            int length = 0;
            boolean chunked = false;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase();
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
                chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            }
            String answer = chunked ? chunks() : new String(in.readNBytes(length), StandardCharsets.UTF_8);
            if (!status.startsWith("HTTP/1.1 2")) {
                throw new IOException(method + " " + path + " was answered " + status + " " + answer);
            }
            return answer;
        }

        private String chunks() throws IOException {
            StringBuilder whole = new StringBuilder();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                whole.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
                line();
            }
            line();
            return whole.toString();
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("the service closed the connection");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
