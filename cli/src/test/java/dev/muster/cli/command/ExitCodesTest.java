package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.FieldProblem;
import dev.muster.api.Page;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.cli.Cli;
import dev.muster.cli.Documents;
import dev.muster.cli.FakeService;
import dev.muster.cli.base.ExitCode;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes and errors, as section 4 of the contract has them. */
class ExitCodesTest {
    @TempDir
    private Path folder;

    private FakeService service;
    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        cli = new Cli(folder).to(service);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID, BAD_INPUT", "UNAUTHORIZED, REFUSED", "FORBIDDEN, REFUSED", "NOT_FOUND, NOT_FOUND", "METHOD, FAULT",
        "AMBIGUOUS, BAD_INPUT", "NAME_TAKEN, REFUSED", "STATE, REFUSED", "TOO_LARGE, BAD_INPUT", "INTERNAL, FAULT",
        "UNAVAILABLE, NOT_REACHED", "DISK_FULL, REFUSED"
    })
    void everyKindOfProblemHasItsCode(ProblemType type, ExitCode code) {
        service.on("GET /jobs/x", type.status(), ProblemDocument.of(type, "the detail"));
        assertThat(cli.run("get x")).isEqualTo(code);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).startsWith("muster: ").contains("the detail").hasLineCount(1);
    }

    @Test
    void whatAJobCannotBeExportedAsIsNoFieldOfItsText() {
        cli.input("name: x\n");
        assertThat(cli.run("export - --as tfjobs")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err())
                .startsWith("muster: --as is tfjob, pytorchjob, mpijob or pods, not tfjobs")
                .doesNotContain("field");
    }

    @Test
    void theNumbersAreThoseOfTheContract() {
        assertThat(List.of(ExitCode.values()).stream().map(ExitCode::number))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 70, 130);
    }

    @Test
    void a2_everyWrongFieldIsToldToAPersonAndToAScript() throws IOException {
        FieldProblem count = new FieldProblem("roles.worker.count", "is at least 1, not 0", Optional.empty());
        FieldProblem name = new FieldProblem("framwork", "is no field", Optional.of("framework"));
        ProblemDocument problem =
                ProblemDocument.of(ProblemType.INVALID, "the job text has 2 problems", List.of(count, name));
        service.on("POST /jobs", 400, problem);
        cli.input("name: x\n");
        assertThat(cli.run("submit -")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err().lines())
                .containsExactly(
                        "muster: standard input: the job text has 2 problems",
                        "  roles.worker.count: is at least 1, not 0",
                        "  framwork: is no field; did you mean framework?");
        assertThat(cli.run("submit - -o json")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.out()).isEmpty();
        assertThat(ProblemDocument.of((JsonFields) Json.parse(cli.err())))
                .isEqualTo(ProblemDocument.of(
                        ProblemType.INVALID, "standard input: the job text has 2 problems", List.of(count, name)));
    }

    @Test
    void twoJobsThatFitAreBothShown() {
        service.on("GET /jobs/k", 409, ProblemDocument.ambiguous(List.of("ka", "kb"), "2 jobs begin with k"));
        assertThat(cli.run("get k")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("ka").contains("kb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lits",
                "get",
                "get a b",
                "list --limt 5",
                "list --limit 0",
                "wait x --timeout soon",
                "scale x worker",
                "run nosuch.yaml",
                "submit /",
                "submit job --set workers",
                "list -o xml",
                "logs x --raw",
                "logs x -f --attempt 2",
                "model",
                "local",
                "local start",
                "export x",
                "dataset list",
                "workflow run x",
                "serve m",
                "server --config f",
                "--bogus",
                "help lits"
            })
    void badUsageIsTwoAndAsksNoService(String line) {
        assertThat(cli.run(line.isEmpty() ? List.of() : List.of(line.split(" "))))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).startsWith("muster: ").doesNotContain("Exception");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        cli.run("run nosuch.yaml");
        assertThat(cli.err()).contains("nosuch.yaml is not there");
        Files.createDirectories(folder.resolve("mine"));
        Files.writeString(folder.resolve("mine/job.yaml"), "name: hello");
        assertThat(cli.run("submit mine/job.yml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("mine/job.yml is not there\n  did you mean mine/job.yaml?");
    }

    @Test
    void aCommandOfALaterVersionSaysSo() {
        for (LaterCommand later : Commands.later()) {
            assertThat(cli.run(later.name() + " --some thing")).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(cli.err()).contains("'muster " + later.name() + "'").contains("not yet in this version");
        }
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheNearest() {
        cli.run("lgos x");
        assertThat(cli.err()).contains("did you mean muster logs?");
    }

    @Test
    void aServiceThatIsNotThereIsFour() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(cli.run("list --server http://127.0.0.1:" + port)).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(cli.err()).contains("127.0.0.1:" + port).contains("nothing listens there");
        assertThat(cli.run("list -o json --server http://127.0.0.1:" + port)).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(((JsonFields) Json.parse(cli.err())).text("type")).isEqualTo("urn:muster:unavailable");
        assertThat(cli.run("list --server localhost")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void whatIsNoMusterServiceIsToldApart() {
        service.on("GET /jobs/x", 200, "<html>welcome</html>");
        assertThat(cli.run("get x")).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(cli.err()).contains("is no Muster service").contains("<html>welcome</html>");
        service.on("GET /jobs/x", 502, "Bad Gateway");
        assertThat(cli.run("get x")).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(cli.err()).contains("status 502");
    }

    @Test
    void theTokenAndTheFormatGoAlong() {
        service.on("GET /jobs", 200, new Page<>(List.of(Documents.job("Running")), Optional.of("kx1a2b3c4d")));
        assertThat(cli.run("-o json list --state Running,Queued --limit 5")).isEqualTo(ExitCode.DONE);
        FakeService.Asked asked = service.asked("GET /jobs").getFirst();
        assertThat(asked.header("Authorization")).isEqualTo("Bearer secret-token");
        assertThat(asked.query()).isEqualTo("state=Running%2CQueued&limit=5");
        JsonFields page = (JsonFields) Json.parse(cli.out());
        assertThat(page.values()).containsOnlyKeys("items", "next");
        assertThat(page.text("next")).isEqualTo("kx1a2b3c4d");
        assertThat(cli.err()).isEmpty();
    }

    @Test
    void getOfAFailedJobIsDone() {
        service.on("GET /jobs/hello", 200, Documents.ended("Failed", Optional.of("UserError: x"), Optional.empty()));
        assertThat(cli.run("get hello")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).contains("UserError: x");
    }

    @Test
    void anAnswerPassesThroughWithFieldsThatThisVersionDoesNotKnow() {
        String text = Documents.job("Running").toJson().toString();
        String later = text.substring(0, text.length() - 1) + ",\"later\":{\"a\":1e400}}";
        service.on("GET /jobs/x", 200, later);
        assertThat(cli.run("get x -o json")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo(later + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get ../x",
                "delete a/b",
                "get ..",
                "models ../../jobs",
                "model get ../../x d",
                "model get m@../1 d"
            })
    void whatCannotBeANameIsNotFoundAndNotAskedFor(String line) {
        assertThat(cli.run(line)).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(service.asked()).isEmpty();
        assertThat(cli.err()).startsWith("muster: No ").doesNotContain("resource");
    }

    @Test
    void aNumberToWriteIsNotLeftAloneOnALine() {
        FieldProblem missing = new FieldProblem("elastic.max", "is required", Optional.of("4"));
        service.on(
                "POST /jobs",
                400,
                ProblemDocument.of(ProblemType.INVALID, "elastic.max: is required", List.of(missing)));
        cli.input("name: x\n");
        cli.run("submit -");
        assertThat(cli.err().lines())
                .containsExactly("muster: standard input: elastic.max: is required", "  did you mean 4?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"get a?b=c", "get %2e"})
    void aNameIsOneSegmentOfThePath(String line) {
        assertThat(cli.run(line)).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(service.asked())
                .hasSize(1)
                .allSatisfy(asked ->
                        assertThat(asked.path().substring("/jobs/".length())).doesNotContain("/"));
    }

    @Test
    void aBlankInANameIsSentAsOne() {
        cli.run(List.of("get", "a b+c"));
        assertThat(service.asked().getFirst().path()).isEqualTo("/jobs/a%20b%2Bc");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            restrt           | is not a field here               | restrt: is not a field here; did you mean restart?
            backend          | must be one of restart, not "x"   | backend: must be one of restart, not "x"; did you mean restart?
            name             | must be a name of 1 to 63 letters | name: must be a name of 1 to 63 letters; did you mean restart?
            checkpoints.from | checkpoints.from names nothing    | checkpoints.from names nothing; did you mean restart?
            """)
    void a2_oneWrongFieldIsToldAsSeveralAre(String field, String rule, String told) {
        FieldProblem one = new FieldProblem(field, rule, Optional.of("restart"));
        service.on("POST /jobs/x/resume", 400, ProblemDocument.of(ProblemType.INVALID, rule, List.of(one)));
        cli.run("resume x --set a.max=1");
        assertThat(cli.err().lines()).containsExactly("muster: " + told);
    }
}
