package dev.muster.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/acceptance.md says for every acceptance row which test shows it: this holds it to that. */
class AcceptanceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void everyAcceptanceRowIsThereAndCitesTestsThatRan() throws IOException {
        Acceptance acceptance = new Acceptance(ROOT);
        String document = Files.readString(ROOT.resolve("docs/acceptance.md"));
        Map<String, List<String>> rows = acceptance.rows(document);
        assertThat(rows)
                .containsKeys(
                        IntStream.rangeClosed(1, 60).mapToObj(row -> "A" + row).toArray(String[]::new));
        assertThat(acceptance.silent(document))
                .as("rows with neither a test nor 'open: why'")
                .isEmpty();
        List<String> wrong = rows.entrySet().stream()
                .flatMap(row -> row.getValue().stream()
                        .flatMap(test -> acceptance.wrong(test).stream())
                        .map(what -> row.getKey() + ": " + what))
                .toList();
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatDoesNotHoldIsReported() throws IOException {
        Files.createDirectories(folder.resolve("spec/src/test/java"));
        Files.writeString(
                folder.resolve("spec/src/test/java/TextTest.java"),
                "class TextTest { void a1() {} void a2() {} void a3() {} void a5_x() {} }");
        Files.writeString(folder.resolve("spec/src/test/java/LowTest.java"), "class LowTest extends Middle {}");
        Files.writeString(
                folder.resolve("spec/src/test/java/Middle.java"), "abstract class Middle extends Kit { void b1() {} }");
        Files.createDirectories(folder.resolve("testkit/src/main/java"));
        Files.writeString(folder.resolve("testkit/src/main/java/Kit.java"), "abstract class Kit { void b2() {} }");
        Path reports = Files.createDirectories(folder.resolve("spec/target/surefire-reports"));
        Files.writeString(
                reports.resolve("TEST-dev.TextTest.xml"),
                "<testsuite><testcase name=\"a1\" time=\"1\"/><testcase name=\"a5 x\" time=\"1\"/><testcase name=\"a2\" time=\"1\">\n<skipped/></testcase></testsuite>");
        Acceptance acceptance = new Acceptance(folder);
        assertThat(acceptance.wrong("spec/TextTest#a1")).isEmpty();
        assertThat(acceptance.wrong("spec/TextTest#a5_x")).isEmpty();
        assertThat(acceptance.wrong("spec/TextTest#a2")).contains("TextTest#a2 was skipped");
        assertThat(acceptance.wrong("spec/TextTest#a3")).contains("TextTest#a3 is in no test report");
        assertThat(acceptance.wrong("spec/TextTest#a4")).contains("TextTest has no test a4");
        assertThat(acceptance.wrong("spec/LowTest#b1")).isEmpty();
        assertThat(acceptance.wrong("spec/LowTest#b2")).isEmpty();
        assertThat(acceptance.wrong("spec/LowTest#b3")).contains("LowTest has no test b3");
        assertThat(acceptance.wrong("spec/Other#a1")).contains("there is no test class Other in spec");
        assertThat(acceptance.wrong("testbed/none#x")).isEqualTo(Optional.of("there is no script testbed/none"));
        assertThat(acceptance.silent("| A1 | it works |  |\n| A2 | it works | open: later |\n"))
                .containsExactly("A1");
    }
}
