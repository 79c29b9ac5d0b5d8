package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentsTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.25Z");

    @ParameterizedTest
    @MethodSource("documents")
    <T extends Document> void whatIsWrittenReadsAsItWas(T document, Function<JsonFields, T> reader) {
        assertThat(reader.apply((JsonFields) Json.parse(document.toJson().toString())))
                .isEqualTo(document);
    }

    static Stream<Arguments> documents() {
        return Stream.of(
                of(request(), JobRequest::of),
                of(new Needs(Optional.of("."), List.of("r.txt"), Map.of("TOKEN", "HF_TOKEN")), Needs::of),
                of(new Needs(Optional.empty(), List.of(), Map.of()), Needs::of),
                of(new Submitted("kx1"), Submitted::of),
                of(new StoredCode("sha256:0"), StoredCode::of),
                of(new ResumeRequest(List.of("restart.max=3")), ResumeRequest::of),
                of(new ScaleRequest("worker", 3), ScaleRequest::of),
                of(new StopRequest(true), StopRequest::of),
                of(ServiceDocument.NONE, ServiceDocument::of),
                of(new ServiceFile(42, NOON, "http://127.0.0.1:1", "/h/token", "abc"), ServiceFile::of),
                of(
                        ProblemDocument.of(
                                ProblemType.INVALID, "d", List.of(new FieldProblem("a.b", "m", Optional.of("s")))),
                        ProblemDocument::of),
                of(ProblemDocument.needs(new Needs(Optional.of("."), List.of(), Map.of()), "d"), ProblemDocument::of),
                of(ProblemDocument.ambiguous(List.of("ka", "kb"), "d"), ProblemDocument::of),
                of(job(Optional.empty(), Optional.empty()), JobDocument::of),
                of(job(Optional.of(new ModelReference("m", 2, "sha256:1")), Optional.of(NOON)), JobDocument::of),
                of(new ModelDocument("m", 1, "sha256:1", "kx1", NOON), ModelDocument::of),
                of(
                        new CheckpointDocument("best", OptionalLong.empty(), "/c/best", false, "kx1"),
                        CheckpointDocument::of),
                of(
                        new EventDocument(
                                7,
                                NOON,
                                "job",
                                Optional.empty(),
                                Optional.empty(),
                                "Queued",
                                Optional.empty(),
                                Optional.empty()),
                        EventDocument::of),
                of(new MetricDocument(NOON, 3, "loss", Double.NaN), MetricDocument::of),
                of(queue("default"), QueueDocument::of),
                of(new PlanDocument("local", "sample", List.of(planned())), PlanDocument::of),
                of(new Page<>(List.of(queue("q")), Optional.of("kx1")), json -> Page.of(json, QueueDocument::of)));
    }

    private static QueueDocument queue(String name) {
        return new QueueDocument(
                name,
                2,
                amount(8),
                amount(3),
                amount(1),
                2,
                1,
                List.of(new QueueDocument.User("ann", 2, 1, amount(3), 0.25, 0.125)));
    }

    private static AmountDocument amount(int processes) {
        return new AmountDocument(
                OptionalInt.of(processes), OptionalDouble.of(1.5), OptionalLong.of(1L << 30), OptionalInt.empty());
    }

    private static <T extends Document> Arguments of(T document, Function<JsonFields, T> reader) {
        return Arguments.of(document, reader);
    }

    private static JobRequest request() {
        return new JobRequest(
                "name: x",
                "/f",
                List.of("workers=2"),
                Optional.of("/usr/bin/python3"),
                "/bin",
                Optional.empty(),
                Map.of("r.txt", "numpy\n"),
                Map.of("TOKEN", "hunter2"),
                Optional.of("k"),
                Optional.of("vision"));
    }

    private static PlannedProcess planned() {
        return new PlannedProcess(
                "worker-0",
                "worker",
                0,
                OptionalInt.of(0),
                OptionalInt.of(0),
                List.of("python", "a b"),
                Map.of("A", "l1\nl2"),
                Map.of("hosts", "h slots=1\n"));
    }

    private static JobDocument job(Optional<ModelReference> model, Optional<Instant> end) {
        ProcessDocument process = new ProcessDocument(
                "worker-0",
                "worker",
                0,
                OptionalInt.of(0),
                OptionalInt.empty(),
                "Exited",
                OptionalInt.of(137),
                Optional.of("KILL"),
                Optional.of("Killed: by SIGKILL"),
                2,
                Optional.of("127.0.0.1:20000"),
                OptionalLong.of(99),
                Optional.of(NOON),
                end,
                OptionalLong.empty(),
                OptionalDouble.empty());
        ProgressDocument progress = new ProgressDocument(
                OptionalLong.of(5),
                OptionalLong.empty(),
                OptionalDouble.of(0.5),
                Map.of("loss", 0.25),
                OptionalDouble.empty());
        return new JobDocument(
                "kx1",
                "x",
                "ann",
                "default",
                "Failed",
                Optional.of("Killed"),
                Optional.of("Killed: r"),
                Optional.empty(),
                2,
                1,
                "plain",
                "local",
                "default",
                OptionalInt.empty(),
                0,
                NOON,
                Optional.of(NOON),
                end,
                end.isPresent() ? progress : ProgressDocument.NONE,
                0,
                List.of(process),
                model,
                Optional.empty(),
                Optional.empty(),
                Json.object().put("name", "x").build());
    }

    @Test
    void absentIsNullAndNeverMissing() {
        assertThat(ServiceDocument.NONE.toJson())
                .hasToString("{\"running\":false,\"pid\":null,\"address\":null,\"build\":null}");
        assertThat(job(Optional.empty(), Optional.empty()).toJson().values())
                .containsKeys("model", "finishedAt", "noContact", "queuePosition")
                .containsEntry("model", Json.NULL);
    }

    @Test
    void anUnknownFieldOfARequestIsRefusedAndOneOfAnAnswerIsNot() {
        assertThatThrownBy(() -> StopRequest.of((JsonFields) Json.parse("{\"cancel\":true,\"force\":true}")))
                .hasMessageContaining("force is no field");
        assertThat(Submitted.of((JsonFields) Json.parse("{\"id\":\"kx1\",\"later\":1}")))
                .isEqualTo(new Submitted("kx1"));
    }

    @Test
    void b58_aRequestPrintsNoSecret() {
        assertThat(request().toString())
                .contains("TOKEN")
                .doesNotContain("hunter2")
                .doesNotContain("name: x");
    }

    @Test
    void everyProblemTypeIsFoundByItsUrn() {
        for (ProblemType type : ProblemType.values()) {
            assertThat(ProblemType.ofUrn(type.urn())).contains(type);
        }
    }
}
