package dev.muster.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.api.Called;
import dev.muster.api.FieldProblem;
import dev.muster.api.JobRequest;
import dev.muster.api.Needs;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.StoredCode;
import dev.muster.api.Submitted;
import dev.muster.cli.Cli;
import dev.muster.cli.FakeService;
import dev.muster.cli.archive.Unpacking;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.RemoteService;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol of handing a job in. */
class SubmissionTest {
    private static final String TEXT = """
            name: hello
            code: src
            environment: {python: {requirements: requirements.txt}}
            secrets: {TOKEN: {env: HF_TOKEN}}
            """;

    @TempDir
    private Path folder;

    private FakeService service;
    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        cli = new Cli(folder).to(service);
        Files.createDirectories(folder.resolve("job/src"));
        Files.writeString(folder.resolve("job/job.yaml"), TEXT);
        Files.writeString(folder.resolve("job/src/train.py"), "print(1)\n");
        Files.writeString(folder.resolve("job/requirements.txt"), "numpy\n");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Accepts when all that these needs name is there. */
    private void needing(Needs needs) {
        service.on("PUT /code", 200, new StoredCode("sha256:77"));
        service.on("POST /jobs", call -> {
            JobRequest request = JobRequest.of(call.asked().json());
            boolean whole = needs.code().isPresent() == request.code().isPresent()
                    && request.requirements().keySet().containsAll(needs.requirements())
                    && request.secrets().keySet().containsAll(needs.secrets().keySet());
            if (whole) {
                call.answer(201, new Submitted("kx1").toJson().toString());
            } else {
                call.answer(
                        428, ProblemDocument.needs(needs, "send it").toJson().toString());
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -       | line 4, column 8: expected ,          | job/job.yaml:4:8: expected ,
            -       | line 2: the character U+0007 is odd   | job/job.yaml:2: the character U+0007 is odd
            --set a | line 1, column 6: expected ,          | job/job.yaml: 1 field is wrong; nothing was stored.
            workers | must be at least 1                    | job/job.yaml: 1 field is wrong; nothing was stored.
            """)
    void theFileIsNamedInWhichTheTextIsWrong(String field, String message, String told) {
        FieldProblem problem = new FieldProblem(field == null ? "" : field, message, Optional.of("fix it"));
        service.on("POST /jobs", 400, ProblemDocument.of(ProblemType.INVALID, message, List.of(problem)));
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err().lines().findFirst()).contains("muster: " + told);
        assertThat(cli.err()).contains("fix it");
    }

    @Test
    void aBackendThatIsRefusedIsToldWithTheSettingsThatTheServiceRunsWithout() {
        FieldProblem problem = new FieldProblem(
                "backend", "dockerd cannot be reached", Optional.of("set DOCKER_HOST for the service"));
        service.on("POST /jobs", 422, ProblemDocument.of(ProblemType.INVALID, "1 field is wrong.", List.of(problem)));
        String difference = "DOCKER_HOST is unix:///d here and not set for the running service; muster local stop";
        Surroundings surroundings = new Surroundings(
                Map.of(), folder, new Surroundings.Application(Optional.empty(), Optional.empty(), "b", Called.MUSTER));
        RemoteService finder = new RemoteService(service.address(), Optional.of("secret-token"), Optional.empty());
        Submission submission =
                new Submission(new Api(new Client(finder)), surroundings, line -> {}, () -> List.of(difference));
        JobFile file = JobFile.read("job/job.yaml", folder, new ByteArrayInputStream(new byte[0]));
        Failure failure = catchThrowableOfType(Failure.class, () -> submission.submit(file, List.of(), "k"));
        assertThat(failure.problem().problems())
                .containsExactly(new FieldProblem(
                        "backend",
                        "dockerd cannot be reached",
                        Optional.of("set DOCKER_HOST for the service; " + difference)));
    }

    @Test
    void whatTheServiceNeedsIsSentAndTheTextIsPostedAgain() throws IOException {
        needing(new Needs(Optional.of("src"), List.of("requirements.txt"), Map.of("TOKEN", "HF_TOKEN")));
        cli.set("HF_TOKEN", "s3cr3t");
        assertThat(cli.run("submit job/job.yaml --set workers=4 --set env.A=x")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo("kx1\n");
        assertThat(cli.err()).isEqualTo("code src: 1 file, 9 B\n");

        List<FakeService.Asked> posted = service.asked("POST /jobs");
        assertThat(posted).hasSize(2);
        JobRequest first = JobRequest.of(posted.get(0).json());
        JobRequest second = JobRequest.of(posted.get(1).json());
        assertThat(first.text()).isEqualTo(TEXT);
        assertThat(first.folder()).isEqualTo(folder.resolve("job").toString());
        assertThat(first.sets()).containsExactly("workers=4", "env.A=x");
        assertThat(first.python())
                .hasValueSatisfying(path -> assertThat(path).startsWith("/").endsWith("/python3"));
        assertThat(first.path()).isEqualTo("/usr/bin:/bin");
        assertThat(first.secrets()).isEmpty();
        assertThat(second.key()).isEqualTo(first.key()).isPresent();
        assertThat(second.code()).contains("sha256:77");
        assertThat(second.requirements()).isEqualTo(Map.of("requirements.txt", "numpy\n"));
        assertThat(second.secrets()).isEqualTo(Map.of("TOKEN", "s3cr3t"));

        Path sent = Files.createDirectory(folder.resolve("sent"));
        Unpacking.unpack(
                new ByteArrayInputStream(service.asked("PUT /code").getFirst().body()), sent);
        assertThat(sent.resolve("train.py")).hasContent("print(1)");
    }

    @Test
    void a4_aSubmissionWhoseAnswerWasLostIsSentAgainWithTheSameKey() {
        AtomicInteger calls = new AtomicInteger();
        service.on("POST /jobs", call -> {
            // The first is stored, but the connection breaks before the answer.
            if (calls.incrementAndGet() > 1) {
                call.answer(200, new Submitted("kx1").toJson().toString());
            }
        });
        assertThat(cli.run("submit job/job.yaml -o json")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo("{\"id\":\"kx1\"}\n");
        assertThat(keys()).hasSize(2).containsOnly(keys().getFirst());
        cli.run("submit job/job.yaml");
        assertThat(keys())
                .as("another submission has another key")
                .hasSize(3)
                .last()
                .isNotEqualTo(keys().getFirst());
    }

    /** Keys of the submissions, the same one once for each time it was sent. */
    private List<String> keys() {
        return service.asked("POST /jobs").stream()
                .map(asked -> asked.json().text("key"))
                .toList();
    }

    @Test
    void whatMayNotBeSentTwiceIsNot() {
        service.on("POST /jobs/x/suspend", call -> {
            // It breaks off.
        });
        assertThat(cli.run("suspend x")).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(cli.err()).contains("whether the request was carried out, or will be, is not known");
        assertThat(service.asked()).hasSize(1);
    }

    @Test
    void a1_everythingThatIsNotHereIsToldAtOnce() {
        needing(new Needs(Optional.of("lib"), List.of("more.txt"), Map.of("TOKEN", "HF_TOKEN")));
        cli.input("{code: lib, requirements: more.txt, secret: HF_TOKEN}");
        assertThat(cli.run("submit -")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err().lines())
                .containsExactly(
                        "muster: what the job needs is not here",
                        "  code: " + folder.resolve("lib")
                                + " is no folder (name the folder of the training code, relative to the job file)",
                        "  environment.python.requirements: " + folder.resolve("more.txt")
                                + " cannot be read (name a requirements file, relative to the job file)",
                        "  secrets.TOKEN: the variable HF_TOKEN is not set here (export HF_TOKEN=... first)");
        assertThat(service.asked("PUT /code")).isEmpty();
    }

    @Test
    void a1_whatIsNotHereIsToldTogetherWithTheWrongFieldsOfTheText() {
        Needs needs = new Needs(
                Optional.of("src"), List.of("trian.py", "train.py"), List.of("more.txt"), Map.of("TOKEN", "HF_TOKEN"));
        FieldProblem wrong = new FieldProblem("workers", "must be at least 1", Optional.empty());
        service.on(
                "POST /jobs",
                400,
                ProblemDocument.of(ProblemType.INVALID, "must be at least 1", List.of(wrong))
                        .with(Optional.of(needs)));
        cli.set("HF_TOKEN", "");
        cli.input("{code: src, requirements: more.txt, secret: HF_TOKEN}");
        assertThat(cli.run("submit job/job.yaml --set environment.python.requirements=more.txt"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err().lines())
                .containsExactly(
                        "muster: job/job.yaml: 3 fields are wrong; nothing was stored.",
                        "  workers: must be at least 1",
                        "  command: trian.py is not in the code folder src as it is sent (did you mean train.py?)",
                        "  environment.python.requirements: " + folder.resolve("job/more.txt")
                                + " cannot be read (name a requirements file, relative to the job file)");
        assertThat(service.asked()).hasSize(1);
    }

    @Test
    void aScriptThatIsNotInTheCodeIsToldBeforeTheCodeIsSent() throws IOException {
        needing(new Needs(
                Optional.of("src"), List.of("./train.py", "sub/a.py"), List.of(), Map.of("TOKEN", "HF_TOKEN")));
        Files.writeString(folder.resolve("job/src/.musterignore"), "/sub/\n");
        Files.createDirectories(folder.resolve("job/src/sub"));
        Files.writeString(folder.resolve("job/src/sub/a.py"), "");
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err())
                .contains("sub/a.py is not in the code folder src")
                .contains("the variable HF_TOKEN is not set here")
                .doesNotContain("train.py");
        assertThat(service.asked("PUT /code")).isEmpty();
    }

    @Test
    void b58_aServiceCannotAskForWhatTheTextDoesNotName() {
        needing(new Needs(Optional.of("/etc"), List.of("/etc/passwd"), Map.of("X", "AWS_SECRET")));
        cli.set("AWS_SECRET", "s3cr3tXYZ");
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err())
                .contains("AWS_SECRET, which the job text does not name")
                .contains("/etc/passwd");
        assertThat(service.asked()).hasSize(1);
    }

    @Test
    void b58_aSecretIsInNothingThatIsShown() {
        needing(new Needs(Optional.empty(), List.of(), Map.of("TOKEN", "HF_TOKEN")));
        cli.set("HF_TOKEN", "s3cr3tXYZ");
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out() + cli.err()).doesNotContain("s3cr3tXYZ");
    }

    @Test
    void aServiceThatIsNeverContentIsNotAskedForEver() {
        service.on(
                "POST /jobs",
                428,
                ProblemDocument.needs(new Needs(Optional.empty(), List.of("requirements.txt"), Map.of()), "send it"));
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(service.asked("POST /jobs")).hasSize(4);
    }

    @Test
    void standardInputIsReadAgainstTheWorkingFolder() {
        needing(new Needs(Optional.empty(), List.of(), Map.of()));
        assertThat(cli.input("name: x\n").run("submit -")).isEqualTo(ExitCode.DONE);
        JobRequest request =
                JobRequest.of(service.asked("POST /jobs").getFirst().json());
        assertThat(request.text()).isEqualTo("name: x\n");
        assertThat(request.folder()).isEqualTo(folder.toString());
    }

    @Test
    void aPipeIsReadAgainstTheWorkingFolderToo() throws Exception {
        needing(new Needs(Optional.empty(), List.of(), Map.of()));
        Path pipe = folder.resolve("job/pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                Files.writeString(pipe, "name: x\n", StandardOpenOption.WRITE);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        assertThat(cli.run("submit job/pipe")).isEqualTo(ExitCode.DONE);
        writer.join();
        JobRequest request =
                JobRequest.of(service.asked("POST /jobs").getFirst().json());
        assertThat(request.text()).isEqualTo("name: x\n");
        assertThat(request.folder()).isEqualTo(folder.toString());
    }

    @Test
    void aTextThatIsNoTextIsRefusedHere() throws IOException {
        Files.write(folder.resolve("bytes"), new byte[] {(byte) 0x80, 'a'});
        assertThat(cli.run("submit bytes")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("is not UTF-8");
        Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
        assertThat(cli.run("submit large")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("larger than 1 MiB");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void muchCodeIsSaidAndTooMuchIsRefusedWithWhatIsLarge() throws IOException {
        needing(new Needs(Optional.of("src"), List.of(), Map.of()));
        sparse(folder.resolve("job/src/data.bin"), 101L << 20);
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.DONE);
        assertThat(cli.err()).contains("101 MiB").contains("data.bin (101 MiB)").contains(".musterignore");
        sparse(folder.resolve("job/src/data.bin"), (2L << 30) + 1);
        assertThat(cli.run("submit job/job.yaml")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("at most 2.0 GiB").contains("data.bin (2.0 GiB)");
        assertThat(service.asked("PUT /code")).hasSize(1);
    }

    private static void sparse(Path file, long size) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(size);
        }
    }
}
