package dev.muster.spec.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeReaderTest {
    private final List<Problem> problems = new ArrayList<>();

    private Optional<Tree> read(String text) {
        return TreeReader.read(text, problems::add);
    }

    private Problem problem(String text) {
        problems.clear();
        read(text);
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    @Test
    void scalarsKeepTheirSpellingAndWhetherTheyWereQuoted() {
        assertThat(read("a: 0x10\nb: '0x10'\nc: \"\\t\"\n"))
                .contains(new Tree.Entries(Map.of(
                        "a", new Tree.Scalar("0x10", true),
                        "b", new Tree.Scalar("0x10", false),
                        "c", new Tree.Scalar("\t", false))));
        assertThat(problems).isEmpty();
    }

    @Test
    void aKeyGivenTwiceIsToldWithBothLinesAtAnyDepth() {
        assertThat(problem("a: 1\nb: 2\na: 3\n").toString())
                .isEqualTo("a: is given twice: on line 1 and on line 3 (keep one of the two)");
        assertThat(problem("a:\n  - x\n  - b: {c: 1, d: 1,\n      c: 2}\n").toString())
                .startsWith("a[1].b.c: is given twice: on line 3 and on line 4");
        assertThat(problem("{\"a\": 1, \"a\": 1}").field()).isEqualTo("a");
    }

    @Test
    void syntaxIsToldWithLineAndColumn() {
        assertThat(problem("name: x: y\n").message()).startsWith("line 1, column 8: ");
        assertThat(problem("a: [1, 2\nb: 3\n").message()).startsWith("line 2, column ");
        assertThat(problem("{\"a\": \"x\n").message()).contains("line 2, column ");
        assertThat(problem("a: x\n\tb: y\n").suggestion()).contains("indent with blanks, not with tabs");
    }

    @Test
    void aCharacterThatYamlDoesNotTakeIsToldWithItsLine() {
        assertThat(problem("a: x\nb: \u0007\n").message())
                .isEqualTo("line 2: the character U+0007 may not stand in YAML");
        assertThat(problem("a: \u0000").message()).contains("U+0000");
    }

    @Test
    void aliasesAreReadWhereTheyAreComplete() {
        assertThat(read("a: &x {k: 1}\nb: *x\nc: &y z\nd: *y\n").orElseThrow())
                .isEqualTo(read("a: {k: 1}\nb: {k: 1}\nc: z\nd: z\n").orElseThrow());
        assertThat(problems).isEmpty();
        assertThat(problem("a: *nowhere\n").field()).isEqualTo("a");
        assertThat(problem("a: &x [1, *x]\n").field()).isEqualTo("a[1]");
    }

    @Test
    void whatIsNoYaml12OrHasNoMeaningIsRefused() {
        assertThat(problem("b: &b {k: 1}\na:\n  <<: *b\n").message()).contains("merge keys (<< on line 3)");
        assertThat(problem("a: !!int \"1\"\n").message()).contains("tags such as tag:yaml.org,2002:int");
        assertThat(problem("a: !secret x\n").field()).isEqualTo("a");
        assertThat(problem("a: 1\n---\nb: 2\n").message()).contains("one document; another starts on line 3");
        assertThat(problem("? [a]\n: 1\n").message()).startsWith("a key on line 1 is a text");
        assertThat(problem("%YAML 2.0\n---\na: 1\n").message()).isNotBlank();
        assertThat(problem("# nothing\n").message()).isEqualTo("the job text is empty");
    }

    @Test
    void aliasesCannotMultiplyWithoutBound() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int level = 1; level < 20; level++) {
            String one = "*a" + (level - 1);
            laughs.append(
                    "a%d: &a%d [%s]\n".formatted(level, level, String.join(", ", List.of(one, one, one, one, one))));
        }
        assertThat(problem(laughs.toString()).message()).startsWith("job text holds at most 100000 values");
    }

    @Test
    void depthIsBoundedAlsoThroughAliases() {
        assertThat(problem("[".repeat(100_000)).message()).isEqualTo("job text is nested at most 64 deep");
        assertThat(problem("a: ".repeat(1) + "{a: ".repeat(70) + "1" + "}".repeat(70))
                        .message())
                .contains("64 deep");
        StringBuilder chain = new StringBuilder("a0: &a0 x\n");
        for (int level = 1; level < 100; level++) {
            chain.append("a%d: &a%d [*a%d]\n".formatted(level, level, level - 1));
        }
        assertThat(problem(chain.toString()).message()).contains("64 deep");
        assertThat(read("[".repeat(64) + "]".repeat(64))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u00e9"})
    void sizeIsBoundedInBytes(String letter) {
        int fits = ((1 << 20) - 4) / letter.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        assertThat(read("a: " + letter.repeat(fits))).isPresent();
        assertThat(problem("a: " + letter.repeat(fits + 2)).message()).isEqualTo("job text is at most 1024 KiB");
    }
}
