package dev.muster.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoreRulesTest {
    private static boolean ignores(List<String> lines, String path) {
        boolean folder = path.endsWith("/");
        return IgnoreRules.of(lines).ignores(List.of(path.split("/")), folder);
    }

    /** The meaning that gitignore(5) gives to the pattern. */
    @ParameterizedTest(name = "{0} ignores {1}: {2}")
    @CsvSource({
        "data, data, true",
        "data, data/, true",
        "data, a/data, true",
        "data, database, false",
        "data/, data, false",
        "data/, data/, true",
        "data/, a/b/data/, true",
        "/data, data, true",
        "/data, a/data, false",
        "a/data, a/data, true",
        "a/data, b/a/data, false",
        "*.bin, x.bin, true",
        "*.bin, a/x.bin, true",
        "*.bin, x.bin.txt, false",
        "*, a, true",
        "/*.bin, a/x.bin, false",
        "a/*.bin, a/x.bin, true",
        "a/*.bin, a/b/x.bin, false",
        "a/**/x, a/x, true",
        "a/**/x, a/b/c/x, true",
        "a/**/x, b/a/x, false",
        "**/x, x, true",
        "**/x, a/b/x, true",
        "a/**, a/x, true",
        "a/**, a/b/, true",
        "a/**, a/, false",
        "x?z, xyz, true",
        "x?z, xz, false",
        "[a-c].t, b.t, true",
        "[a-c].t, d.t, false",
        "[!a-c].t, d.t, true",
        "[!a-c].t, a.t, false",
        "a*b*c, aXbYbc, true",
        "a*b*c, aXbYb, false",
        "x\\*, x*, true",
        "x\\*, xy, false",
        "\\#a, #a, true",
        "\\!a, !a, true",
        "[a, [a, true",
        "'name  ', name, true",
        "'name\\ ', 'name ', true"
    })
    void aPatternMeansWhatItMeansToGit(String pattern, String path, boolean ignored) {
        assertThat(ignores(List.of(pattern), path)).isEqualTo(ignored);
    }

    @Test
    void theLastLineThatMatchesDecides() {
        List<String> lines = List.of("*.bin", "!keep.bin", "/a/keep.bin");
        assertThat(ignores(lines, "x.bin")).isTrue();
        assertThat(ignores(lines, "keep.bin")).isFalse();
        assertThat(ignores(lines, "b/keep.bin")).isFalse();
        assertThat(ignores(lines, "a/keep.bin")).isTrue();
    }

    @Test
    void commentsAndBlankLinesMeanNothing() {
        assertThat(ignores(List.of("# data", "", "   ", "/", "!", "#"), "data")).isFalse();
        assertThat(ignores(List.of("#a"), "#a")).isFalse();
    }

    @Test
    void historiesCachesAndEnvironmentsAreLeftOutUnlessTakenBack() {
        for (String path : List.of(".git", ".git/", "a/__pycache__/", "a/m.pyc", ".venv/", "venv/", "x.egg-info/")) {
            assertThat(ignores(List.of(), path)).as(path).isTrue();
            assertThat(ignores(List.of("!" + path), path)).as("!" + path).isFalse();
        }
        for (String path : List.of("train.py", "venv", ".gitignore", ".env", "data/")) {
            assertThat(ignores(List.of(), path)).as(path).isFalse();
        }
    }

    @Test
    void manyStarsCostLittle() {
        assertThat(Glob.matches("*a".repeat(50) + "b", "a".repeat(5000))).isFalse();
    }
}
