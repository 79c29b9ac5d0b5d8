package dev.muster.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "90s, 90000",
        "10m, 600000",
        "1h30m, 5400000",
        "500ms, 500",
        "2d, 172800000",
        "1m1ms, 60001",
        "1h5s, 3605000"
    })
    void aDurationIsReadAsInJobText(String text, long milliseconds) {
        assertThat(Durations.parse(text)).contains(Duration.ofMillis(milliseconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "5x", "1.5s", "-5s", "5 s", "30m1h", "1m1m", "1h 30m", "0x", "99999999999s", "5S"})
    void whatIsNoDurationIsNotRead(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0 s, 0s",
        "940, 0.9 s, 0s",
        "9940, 9.9 s, 9s",
        "9960, 9 s, 9s",
        "59999, 59 s, 59s",
        "60000, 1m 00s, 1m",
        "185000, 3m 05s, 3m",
        "7800000, 2h 10m, 2h",
        "172800000, 2d 0h, 2d",
        "100000000, 1d 3h, 27h"
    })
    void aDurationIsShownInTwoUnitsAtMost(long milliseconds, String shown, String age) {
        assertThat(Durations.show(Duration.ofMillis(milliseconds))).isEqualTo(shown);
        assertThat(Durations.age(Duration.ofMillis(milliseconds))).isEqualTo(age);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "10240, 10 KiB", "3565158, 3.4 MiB", "2147483648, 2.0 GiB"})
    void aSizeIsShownInItsUnit(long bytes, String shown) {
        assertThat(Sizes.show(bytes)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0.871249, 0.8712",
        "1.5, 1.5",
        "2, 2",
        "0, 0",
        "-0.25, -0.25",
        "123456, 123456",
        "1234.56, 1235",
        "12.3456, 12.35",
        "1.2e32, 1.2E32",
        "0.0000751, 7.51E-5",
        "NaN, NaN",
        "-Infinity, -Infinity"
    })
    void b68_aMetricIsShownWithFourDigitsThatCount(double value, String shown) {
        assertThat(Numbers.show(value)).isEqualTo(shown);
    }

    private static List<String> lines(Table table, int width) {
        List<String> lines = new ArrayList<>();
        table.writeTo(width, lines::add);
        return lines;
    }

    private static Table table() {
        return new Table()
                .column("ID")
                .flexibleColumn("NAME")
                .numberColumn("N")
                .optionalColumn("WHEN")
                .flexibleColumn("NOTE")
                .row("kx1", "a-rather-long-name", "5", "3m ago", "UserError: worker-1 ended with exit code 1")
                .row("kx2", "short", "12", "-", "");
    }

    @Test
    void aTableThatFitsIsShownWhole() {
        assertThat(lines(table(), Integer.MAX_VALUE))
                .containsExactly(
                        "ID   NAME                 N  WHEN    NOTE",
                        "kx1  a-rather-long-name   5  3m ago  UserError: worker-1 ended with exit code 1",
                        "kx2  short               12  -");
    }

    @Test
    void aTableIsFittedToTheTerminal() {
        assertThat(lines(table(), 50))
                .containsExactly(
                        "ID   NAME                 N  WHEN    NOTE",
                        "kx1  a-rather-long-name   5  3m ago  UserError: w…",
                        "kx2  short               12  -");
        assertThat(lines(table(), 30))
                .containsExactly("ID   NAME         N  WHEN", "kx1  a-rather-…   5  3m ago", "kx2  short       12  -");
        for (int width = 9; width < 90; width++) {
            assertThat(lines(table(), width))
                    .as("width " + width)
                    .allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(90));
        }
    }

    @Test
    void wideLettersTakeTwoColumns() {
        assertThat(TextWidth.of("模型")).isEqualTo(4);
        assertThat(TextWidth.of("e\u0301")).isEqualTo(1);
        assertThat(TextWidth.cut("模型模型", 5)).isEqualTo("模型…");
        assertThat(TextWidth.cut("abc", 3)).isEqualTo("abc");
        assertThat(TextWidth.cut("abcd", 3)).isEqualTo("ab…");
    }

    @ParameterizedTest
    @CsvSource({
        "'\u001b[31mred\u001b[0m', red",
        "'a\u001b]0;title\u0007b', ab",
        "'a\u001b]8;;x\u001b\\b', ab",
        "'\u001b[2J\u001b[Hx', x",
        "'10%\r55%\r100%', 100%",
        "'done\r', done",
        "'a\u0007b\u009bc', abc",
        "'a\tb', 'a\tb'",
        "'end\u001b', end",
        "'x\u001b[', x"
    })
    void b39_outputOfATrainingCannotDisturbTheTerminal(String line, String plain) {
        assertThat(PlainText.of(line)).isEqualTo(plain);
    }

    @Test
    void aTextIsWrappedBetweenWords() {
        assertThat(Lines.wrap("  short", 20)).containsExactly("  short");
        assertThat(Lines.wrap("  installing tensorflow (23 of 41 packages)", 24))
                .containsExactly("  installing tensorflow", "    (23 of 41 packages)");
        assertThat(Lines.wrap("see /a/path/that/is/wider/than/all now", 12))
                .containsExactly("see", "  /a/path/that/is/wider/than/all", "  now");
        assertThat(Lines.wrap("one two three four five six", 11, 2)).containsExactly("one two", "  three …");
        assertThat(Lines.join(List.of("step 1/2", "", "loss 0.41", "ETA 3 s"), 20))
                .isEqualTo("step 1/2  loss 0.41");
        assertThat(Lines.join(List.of("step 1/2"), 5)).isEqualTo("step…");
    }
}
