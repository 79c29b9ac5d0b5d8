package dev.muster.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.EventDocument;
import dev.muster.api.JobDocument;
import dev.muster.cli.Documents;
import dev.muster.cli.FakeService;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Answer;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.Endpoint;
import dev.muster.cli.client.Request;
import dev.muster.cli.client.ServiceFinder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Following a job through the ends of streams and of services. */
class FollowTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private FakeService service;

    /** A service that comes back where it was. */
    private final ServiceFinder finder = at(OptionalLong.empty());

    private ServiceFinder at(OptionalLong pid) {
        return new ServiceFinder() {
            @Override
            public Endpoint find() {
                return new Endpoint(service.address(), Optional.empty(), pid);
            }

            @Override
            public Endpoint findAgain(Endpoint failed, String why) {
                throw Failure.notReached(why);
            }
        };
    }

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        service.on("GET /jobs/kx1", 200, Documents.job("Running"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void isOver() {
        service.on("GET /jobs/kx1", 200, Documents.ended("Succeeded", Optional.empty(), Optional.empty()));
    }

    /** Everything seen until the feed is over. */
    private List<Sight> follow(Feed.Kind kind, Optional<String> process) throws InterruptedException {
        List<Sight> seen = new ArrayList<>();
        try (JobFollower follower = new JobFollower(new Api(new Client(finder)), "kx1", Set.of(kind), process, true)) {
            while (true) {
                Optional<Sight> sight = follower.next(LONG);
                assertThat(sight).as("after " + seen).isPresent();
                seen.add(sight.get());
                if (sight.get() instanceof Sight.Ended || sight.get() instanceof Sight.Broken) {
                    return seen;
                }
            }
        }
    }

    private static String text(List<Sight> sights) {
        StringBuilder text = new StringBuilder();
        for (Sight sight : sights) {
            if (sight instanceof Sight.Output output) {
                text.append(new String(output.bytes(), StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    @Test
    void a9_linesAreNeitherLostNorDoubledWhenTheServiceDies() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        service.on("GET /jobs/kx1/logs", call -> {
            assertThat(call.asked().query()).isEqualTo("follow=true");
            switch (calls.incrementAndGet()) {
                case 1 -> call.piece("worker-0 | a\nworker-1 | x\nworker-0 | b\nworker-1 | ha");
                // The order between processes is another one, that of each process is not.
                case 2 -> call.piece("worker-1 | x\nworker-1 | half\nworker-0 | a\nworker-0 | b\nworker-0 | c\n");
                default -> {
                    isOver();
                    call.piece(
                                    "worker-0 | a\nworker-0 | b\nworker-0 | c\nworker-1 | x\nworker-1 | half\nworker-1 | y\nworker-0 | end")
                            .end();
                }
            }
        });
        List<Sight> seen = follow(Feed.Kind.OUTPUT, Optional.empty());
        assertThat(text(seen))
                .isEqualTo(
                        "worker-0 | a\nworker-1 | x\nworker-0 | b\nworker-1 | half\nworker-0 | c\nworker-1 | y\nworker-0 | end");
        assertThat(seen.stream().filter(Sight.Lost.class::isInstance)).hasSize(2);
        assertThat(seen.stream().filter(Sight.Found.class::isInstance)).hasSize(2);
    }

    @Test
    void a9_aStreamThatEndsWithTheServiceIsNotTheEndOfTheJob() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        service.on("GET /jobs/kx1/logs", call -> {
            if (calls.incrementAndGet() == 2) {
                isOver();
                call.piece("one\ntwo\n");
            } else {
                call.piece("one\n");
            }
            call.end();
        });
        assertThat(text(follow(Feed.Kind.OUTPUT, Optional.of("worker-0")))).isEqualTo("one\ntwo\n");
        assertThat(service.asked("GET /jobs/kx1/logs").getFirst().query()).isEqualTo("follow=true&process=worker-0");
    }

    @Test
    void b42_aVeryLongLineComesInPieces() throws InterruptedException {
        String line = "worker-0 | " + "x".repeat(3 * OutputFeed.LONGEST) + "\n";
        isOver();
        service.on(
                "GET /jobs/kx1/logs",
                call -> call.piece(line).piece("worker-0 | END\n").end());
        List<Sight> seen = follow(Feed.Kind.OUTPUT, Optional.empty());
        assertThat(text(seen)).isEqualTo(line + "worker-0 | END\n");
        List<Sight.Output> pieces = new ArrayList<>();
        for (Sight sight : seen) {
            if (sight instanceof Sight.Output output) {
                pieces.add(output);
            }
        }
        assertThat(pieces).allSatisfy(piece -> {
            assertThat(piece.bytes().length).isLessThanOrEqualTo(2 * OutputFeed.LONGEST);
            assertThat(piece.process()).isEqualTo("worker-0");
        });
        assertThat(pieces.stream().filter(Sight.Output::begins)).hasSize(2);
        assertThat(pieces.stream().filter(Sight.Output::ends)).hasSize(2);
    }

    @Test
    void a7_everyEventComesOnceWhateverBreaks() throws InterruptedException {
        List<EventDocument> life = Documents.life("Succeeded");
        AtomicInteger calls = new AtomicInteger();
        service.on("GET /jobs/kx1/events", call -> {
            switch (calls.incrementAndGet()) {
                case 1 -> call.piece(Documents.lines(life.subList(0, 3))).piece("{\"seq\":4,\"at\":");
                case 2 -> {
                    assertThat(call.asked().query()).isEqualTo("follow=true&after=3");
                    call.piece(Documents.lines(life.subList(2, 4))).end();
                }
                default -> {
                    isOver();
                    call.piece(Documents.lines(life.subList(4, 6))).end();
                }
            }
        });
        List<EventDocument> seen = new ArrayList<>();
        for (Sight sight : follow(Feed.Kind.EVENTS, Optional.empty())) {
            if (sight instanceof Sight.Event event) {
                seen.add(event.document());
            }
        }
        assertThat(seen).isEqualTo(life);
    }

    @Test
    void theServiceMayComeBackLaterWhereItWas() throws IOException, InterruptedException {
        JobDocument end = Documents.ended("Failed", Optional.of("UserError: x"), Optional.empty());
        service.on("GET /jobs/kx1/watch", call -> call.piece(Documents.lines(List.of(Documents.job("Running")))));
        int port = service.port();
        List<Sight> seen = new ArrayList<>();
        try (JobFollower follower = new JobFollower(new Api(new Client(finder)), "kx1", Set.of(Feed.Kind.JOB))) {
            seen.add(follower.next(LONG).orElseThrow());
            service.close();
            seen.add(follower.next(LONG).orElseThrow());
            service = new FakeService(port);
            service.on("GET /jobs/kx1", 200, end);
            service.on(
                    "GET /jobs/kx1/watch",
                    call -> call.piece(Documents.lines(List.of(end))).end());
            while (!(seen.getLast() instanceof Sight.Ended)) {
                seen.add(follower.next(LONG).orElseThrow());
            }
        }
        assertThat(seen.stream().map(sight -> sight.getClass().getSimpleName()).distinct())
                .containsExactly("Job", "Lost", "Found", "Ended");
    }

    @Test
    void b45_aJobThatIsGoneIsToldAtOnce() throws InterruptedException {
        service.on(
                "GET /jobs/kx1/watch",
                404,
                "{\"type\":\"urn:muster:not-found\",\"title\":\"t\",\"status\":404,\"detail\":\"gone\",\"problems\":[]}");
        assertThat(follow(Feed.Kind.JOB, Optional.empty()))
                .singleElement()
                .isInstanceOfSatisfying(
                        Sight.Broken.class,
                        broken -> assertThat(broken.failure()).hasMessage("gone"));
    }

    /** A feed that waits for a moment only. */
    private static final class Impatient extends Feed {
        Impatient(Api api, Consumer<Sight> sights) {
            super(Kind.JOB, api, "kx1", sights);
        }

        @Override
        protected Answer open() {
            return api.watch(job, Duration.ofSeconds(2));
        }

        @Override
        protected void read(InputStream in) throws IOException {
            JsonLines.read(in, json -> see(new Sight.Job(json, JobDocument.of(json))));
        }
    }

    @Test
    void aServiceThatIsOnlySilentIsAskedAgainAndNotCalledLost() {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        service.on("GET /jobs/kx1/watch", call -> {
            if (calls.incrementAndGet() < 3) {
                call.piece(Documents.lines(List.of(Documents.job("Running"))));
                over.await();
            }
            isOver();
            call.piece(Documents.lines(List.of(Documents.job("Running")))).end();
        });
        List<Sight> seen = new ArrayList<>();
        new Impatient(new Api(new Client(finder)), seen::add).run();
        over.countDown();
        assertThat(calls).hasValue(3);
        assertThat(seen)
                .hasSize(4)
                .noneMatch(Sight.Lost.class::isInstance)
                .last()
                .isInstanceOf(Sight.Ended.class);
    }

    @Test
    void aRequestThatMayBeRepeatedIsSentAgainWhenItsAnswerIsLate() {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        service.on("GET /late", call -> {
            if (calls.incrementAndGet() == 1) {
                over.await();
            }
            call.answer(200, "{}");
        });
        service.on("GET /silent", call -> over.await());
        service.on("POST /late", call -> over.await());
        Client client = new Client(finder);
        Duration moment = Duration.ofMillis(200);
        assertThat(client.json(Request.get("/late").within(Duration.ofSeconds(5)))
                        .values())
                .isEmpty();
        assertThatThrownBy(() -> client.json(Request.get("/silent").within(moment.multipliedBy(5))))
                .hasMessageEndingWith("gave no answer within 2 s; ask who runs it");
        assertThatThrownBy(() -> client.json(Request.post("/late").within(moment.multipliedBy(5))))
                .hasMessageContaining(
                        "gave no answer within 1 s; ask who runs it; whether the request was carried out, or will be,")
                .hasMessageEndingWith("is not known: look before trying again");
        service.on("GET /hung", call -> over.await());
        Client own = new Client(at(OptionalLong.of(4711)));
        assertThatThrownBy(() -> own.json(Request.get("/hung").within(moment)))
                .hasMessageContaining("kill -CONT 4711 lets it go on; kill -9 4711 ends it, its workers go on");
        Request doubtful =
                Request.post("/doubtful").again("'muster list' shows it").within(moment);
        service.on("POST /doubtful", call -> over.await());
        assertThatThrownBy(() -> client.json(doubtful)).hasMessageEndingWith("is not known: 'muster list' shows it");
        over.countDown();
        assertThat(service.asked("POST /late")).hasSize(1);
        assertThat(service.asked("GET /silent")).hasSize(2);
    }
}
