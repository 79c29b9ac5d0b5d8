package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Cli;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.template.Template;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code init}: the examples, ready to be begun with. */
class InitTest {
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder);
    }

    @Test
    void whereAnEnvironmentHasToBeMadeFirstThatIsSaid() {
        cli.run("init my-job --strategy data-parallel --framework horovod");
        assertThat(cli.out())
                .contains(
                        "first: what it runs with is made once, by make-environment; README.md there says how\nnext: ");
        Cli another = new Cli(folder);
        another.run("init other --strategy data-parallel --framework pytorch");
        assertThat(another.out()).contains("next: ").doesNotContain("first:");
    }

    static Stream<Template> templates() {
        return Template.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("templates")
    void theFolderHasAllOfTheExampleAndNamesNothingOutsideOfIt(Template template) throws IOException {
        assertThat(cli.run("init my-job --strategy " + template.strategy() + " --framework " + template.framework()))
                .as(cli.err())
                .isEqualTo(ExitCode.DONE);
        Path made = folder.resolve("my-job");
        assertThat(files(made))
                .isEqualTo(files(EXAMPLES.resolve(template.folder())))
                .contains("job.yaml", "README.md", ".musterignore")
                .anyMatch(name -> name.endsWith(".py"));
        for (String name : files(made)) {
            String text = Files.readString(made.resolve(name));
            assertThat(text).as(name).doesNotContain("./muster").doesNotContain("examples/" + template.folder());
            if (name.endsWith(".py") || name.startsWith("requirements") || name.equals(".musterignore")) {
                assertThat(text)
                        .isEqualTo(Files.readString(
                                EXAMPLES.resolve(template.folder()).resolve(name)));
            }
            assertThat(Files.isExecutable(made.resolve(name))).as(name).isEqualTo(text.startsWith("#!"));
        }
        assertThat(Files.readString(made.resolve("README.md")))
                .contains("muster run ")
                .doesNotContain("](..");
        assertThat(Files.readString(made.resolve("job.yaml")).lines().filter(line -> line.startsWith("name:")))
                .containsExactly("name: my-job");
        assertThat(cli.out()).endsWith("next: muster plan my-job/job.yaml    muster run my-job/job.yaml\n");
    }

    private static Set<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.matches("(model|checkpoints|.*__pycache__)/.*"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void everyExampleCanBeBegunWith() throws IOException {
        try (Stream<Path> all = Files.walk(EXAMPLES)) {
            Set<String> jobs = all.filter(file -> file.endsWith("job.yaml"))
                    .map(file -> EXAMPLES.relativize(file.getParent()).toString())
                    .collect(Collectors.toSet());
            assertThat(Template.ALL.stream().map(Template::folder)).containsExactlyInAnyOrderElementsOf(jobs);
        }
        for (Template template : Template.ALL) {
            String job = Files.readString(EXAMPLES.resolve(template.folder()).resolve("job.yaml"));
            assertThat(job).contains("\nframework: " + template.framework() + "\n");
        }
    }

    @Test
    void nothingIsOverwrittenAndThenNothingIsWritten() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("mine")).resolve("hello.py"), "precious");
        assertThat(cli.run("init mine --framework plain")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("nothing is overwritten").contains("hello.py: is there already");
        assertThat(folder.resolve("mine/hello.py")).hasContent("precious");
        assertThat(files(folder.resolve("mine"))).containsExactly("hello.py");
        Files.delete(folder.resolve("mine/hello.py"));
        Files.writeString(folder.resolve("mine/other.py"), "kept");
        assertThat(cli.run("init mine --framework plain")).isEqualTo(ExitCode.DONE);
        assertThat(files(folder.resolve("mine"))).contains("other.py", "hello.py");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            init x --strategy data-paralel           | did you mean --strategy data-parallel? there are:
            init x --strategy pipeline --framework pytorhc | did you mean --framework pytorch? there are:
            init x --framework tensorflw             | did you mean --framework tensorflow? there are:
            """)
    void aNameThatIsNearlyRightIsAnsweredWithTheRightOne(String line, String told) {
        assertThat(cli.run(line)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            init x --strategy pipeline --framework jax   | --strategy pipeline --framework jax is not there
            init x --framework caffe                     | --framework caffe is not there
            init x --strategy data-parallel              | --framework has to be told
            init x --framework pytorch                   | --strategy has to be told
            init x                                       | --strategy has to be told
            """)
    void aPairThatIsNotThereIsAnsweredWithThoseThatAre(String line, String told) {
        assertThat(cli.run(line)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("muster: " + told);
        String known = line.contains("data-parallel")
                ? "there are: data-parallel (tensorflow, pytorch, horovod, jax, mpi, xgboost, plain)"
                : "pipeline (pytorch)";
        assertThat(cli.err()).contains(known);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void oneOfTheTwoMayDoAndAScriptReadsWhatWasWritten() {
        assertThat(cli.run("init Under_Score --strategy pipeline -o json")).isEqualTo(ExitCode.DONE);
        JsonFields told = (JsonFields) Json.parse(cli.out());
        assertThat(told.text("framework")).isEqualTo("pytorch");
        assertThat(told.text("path")).isEqualTo(folder.resolve("Under_Score").toString());
        assertThat(told.texts("files")).isEqualTo(List.of(".musterignore", "README.md", "job.yaml", "train.py"));
        assertThat(folder.resolve("Under_Score/job.yaml")).content().contains("\nname: pipeline\n");
    }
}
