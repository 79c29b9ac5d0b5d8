package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.ProblemType;
import dev.muster.model.JobId;
import dev.muster.spi.JobFolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() {
        served = new Served(folder.resolve("home"));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    private static String two(String name, String command) {
        return "{\"name\":\"" + name
                + "\",\"framework\":\"plain\",\"workers\":2,\"grace\":\"1s\",\"command\":[\"sh\",\"-c\",\"" + command
                + "\"]}";
    }

    @Test
    void a09_logsOfEveryRankAreReadAfterTheEnd() {
        String job = served.submit(two("ranks", "echo I am $MUSTER_RANK; printf unfinished"));
        served.await(job, "Succeeded");
        List<String> merged = served.get("/v1/jobs/ranks/logs").body().lines().toList();
        assertThat(merged)
                .containsExactlyInAnyOrder(
                        "worker-0 | I am 0", "worker-0 | unfinished", "worker-1 | I am 1", "worker-1 | unfinished");
        HttpResponse<String> one = served.get("/v1/jobs/ranks/logs?process=worker-1");
        assertThat(one.body()).isEqualTo("I am 1\nunfinished\n");
        assertThat(one.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    }

    @Test
    void a09_b45_aFollowerOfAQueuedJobWaitsAndThenGetsEachLineOnceSoonAfterItWasWritten() throws Exception {
        String blocker = served.submit(
                "{\"name\":\"blocker\",\"framework\":\"plain\",\"workers\":8,\"grace\":\"1s\",\"command\":[\"sleep\",\"600\"]}");
        served.await(blocker, "Running");
        // Each line but the first is written only when the one before was read.
        String job = served.submit(Served.shell(
                "ticking",
                "for i in 1 2 3; do echo line $i;"
                        + " while [ ! -e \"$MUSTER_CONTROL_DIR/read-$i\" ]; do sleep 0.05; done; done"));
        Path control = new JobFolders(served.home.folder()).control(new JobId(job));
        CompletableFuture<HttpResponse<InputStream>> answer = served.client.sendAsync(
                served.request("/v1/jobs/ticking/logs?follow=true").build(), BodyHandlers.ofInputStream());
        served.post("/v1/jobs/blocker/cancel", "");
        BufferedReader reader = new BufferedReader(
                new InputStreamReader(answer.get(60, TimeUnit.SECONDS).body(), StandardCharsets.UTF_8));
        for (int line = 1; line <= 3; line++) {
            CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
                try {
                    return reader.readLine();
                } catch (IOException cut) {
                    throw new UncheckedIOException(cut);
                }
            });
            assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo("worker-0 | line " + line);
            assertThat(Served.json(served.get("/v1/jobs/" + job)).text("state")).isNotEqualTo("Succeeded");
            Files.createFile(control.resolve("read-" + line));
        }
        assertThat(reader.readLine()).isNull();
        served.await(job, "Succeeded");
    }

    @Test
    void b46_logsOfEveryAttemptStayAndAreMarked() {
        String job = served.submit(
                "{\"name\":\"thrice\",\"framework\":\"plain\",\"restart\":{\"max\":2,\"backoff\":{\"first\":\"0\"},"
                        + "\"rules\":[{\"exitCodes\":[9],\"action\":\"restart\"}]},\"command\":[\"sh\",\"-c\","
                        + "\"echo try $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT = 3 ] || exit 9\"]}");
        served.await(job, "Succeeded");
        assertThat(served.get("/v1/jobs/thrice/logs?attempt=all").body().lines())
                .containsExactly("worker-0 a1 | try 1", "worker-0 a2 | try 2", "worker-0 a3 | try 3");
        assertThat(served.get("/v1/jobs/thrice/logs?attempt=2&process=worker-0").body())
                .isEqualTo("try 2\n");
        assertThat(served.get("/v1/jobs/thrice/logs").body()).isEqualTo("worker-0 | try 3\n");
        assertThat(served.get("/v1/jobs/thrice/logs?process=worker-0&raw=true").body())
                .isEqualTo("try 3\n");
        assertThat(served.get("/v1/jobs/thrice/logs?process=worker-0&raw=true&attempt=1")
                        .body())
                .isEqualTo("try 1\n");
        for (String query : List.of("attempt=9", "attempt=4&process=worker-0", "attempt=9&process=worker-0&raw=true")) {
            HttpResponse<String> none = served.get("/v1/jobs/thrice/logs?" + query);
            assertProblem(none, ProblemType.NOT_FOUND);
            assertThat(none.body()).contains("it has 1, 2, 3.");
        }
    }

    @Test
    void b40_rawBytesArriveUnchanged() {
        String job = served.submit(Served.shell("bytes", "printf 'hi\\n\\200\\nend'"));
        served.await(job, "Succeeded");
        assertThat(served.get("/v1/jobs/bytes/logs").body())
                .isEqualTo("worker-0 | hi\nworker-0 | \ufffd\nworker-0 | end\n");
        byte[] raw = served.send(
                        served.request("/v1/jobs/bytes/logs?process=worker-0&raw=true"), BodyHandlers.ofByteArray())
                .body();
        assertThat(raw).isEqualTo(new byte[] {'h', 'i', '\n', (byte) 0x80, '\n', 'e', 'n', 'd'});
    }

    @Test
    void aPartOfTheBytesOfOneAttemptIsGivenWhenAskedFor() {
        String job = served.submit(Served.shell("part", "printf 0123456789"));
        served.await(job, "Succeeded");
        String raw = "/v1/jobs/part/logs?process=worker-0&raw=true";
        assertThat(served.get(raw).headers().firstValue("Accept-Ranges")).contains("bytes");
        for (List<String> part : List.of(
                List.of("bytes=0-3", "0123", "bytes 0-3/10"),
                List.of("bytes=4-", "456789", "bytes 4-9/10"),
                List.of("bytes=-3", "789", "bytes 7-9/10"),
                List.of("bytes=8-99", "89", "bytes 8-9/10"))) {
            HttpResponse<String> answer = served.send(served.request(raw).header("Range", part.get(0)));
            assertThat(answer.statusCode()).isEqualTo(206);
            assertThat(answer.body()).isEqualTo(part.get(1));
            assertThat(answer.headers().firstValue("Content-Range")).contains(part.get(2));
        }
        for (String behind : List.of("bytes=10-", "bytes=-0", "bytes=99-100")) {
            HttpResponse<String> answer = served.send(served.request(raw).header("Range", behind));
            assertProblem(answer, ProblemType.RANGE);
            assertThat(answer.headers().firstValue("Content-Range")).contains("bytes */10");
        }
        for (String whole : List.of("bytes=5-2", "lines=1-2", "bytes=0-1,3-4", "bytes=x")) {
            HttpResponse<String> answer = served.send(served.request(raw).header("Range", whole));
            assertThat(answer.statusCode()).as(whole).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("0123456789");
        }
    }

    @Test
    void b45_followingWhatIsNotThereIsNotFoundAtOnce() {
        assertProblem(served.get("/v1/jobs/nosuch/logs?follow=true"), ProblemType.NOT_FOUND);
        String job = served.submit(Served.shell("known", "true"));
        assertProblem(served.get("/v1/jobs/" + job + "/events?follow=maybe"), ProblemType.INVALID);
        HttpResponse<String> answer = served.get("/v1/jobs/" + job + "/logs?follow=true&process=worker-7");
        assertProblem(answer, ProblemType.NOT_FOUND);
        assertThat(answer.body()).contains("worker-0");
        assertProblem(served.get("/v1/jobs/" + job + "/logs?attempt=0"), ProblemType.INVALID);
        assertProblem(served.get("/v1/jobs/" + job + "/logs?raw=true"), ProblemType.INVALID);
    }

    @Test
    void b42_aClientThatDoesNotReadHoldsUpNobody() throws Exception {
        String job = served.submit(
                Served.shell("chatty", "yes 0123456789012345678901234567890123456789 | head -c 60000000"));
        served.await(job, "Succeeded");
        URI address = URI.create(served.service.address());
        try (Socket slow = new Socket(address.getHost(), address.getPort())) {
            slow.getOutputStream()
                    .write(("GET /v1/jobs/chatty/logs HTTP/1.1\r\nHost: " + address.getAuthority()
                                    + "\r\nAuthorization: Bearer " + served.token + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(slow.getInputStream().read()).isEqualTo('H');
            String other = served.submit(Served.shell("beside", "echo beside"));
            served.await(other, "Succeeded");
            assertThat(served.get("/v1/jobs/beside/logs").body()).isEqualTo("worker-0 | beside\n");
            CompletableFuture<Long> whole = CompletableFuture.supplyAsync(() -> {
                try (InputStream in = served.send(
                                served.request("/v1/jobs/chatty/logs?process=worker-0&raw=true"),
                                BodyHandlers.ofInputStream())
                        .body()) {
                    long bytes = 0;
                    byte[] buffer = new byte[1 << 16];
                    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                        bytes += read;
                    }
                    return bytes;
                } catch (IOException cut) {
                    throw new UncheckedIOException(cut);
                }
            });
            assertThat(whole.get(120, TimeUnit.SECONDS)).isEqualTo(60_000_000L);
        }
    }
}
