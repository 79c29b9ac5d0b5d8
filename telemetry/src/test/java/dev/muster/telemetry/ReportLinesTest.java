package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReportLinesTest {
    private static final String LOG = String.join(
            "\n",
            "loading",
            "::muster::{\"step\":1}",
            "text ::muster::{\"step\":11}",
            " 8%|\u258a | 5/60\r 9%|\u258a | 6/60 [..]:::muster::::muster::{\"step\":12}",
            "[default0]: 8%|\u258a | 5/60::muster::{\"step\":13}",
            "[default1]: 8%|\u258a | 5/60::muster::{\"no\":14}",
            "text ::muster::\"no\"",
            "text ::muster::{\"no\r",
            "text ::muster:\r:{\"no\":15}",
            "::muster: {\"no\":3}",
            "::must",
            "",
            "10%\r20%\r::muster::{\"step\":2}\r",
            "[default0]:::muster::{\"step\":3}",
            "[default1]:::muster::{\"no\":4}",
            "[default10]:::muster::{\"no\":5}",
            "[0]<stdout>:::muster::{\"step\":4}",
            "[1,0]<stdout>:::muster::{\"step\":5}",
            "[12:34:56] ::muster::{\"step\":16}",
            "[" + "x".repeat(500) + "0]:::muster::{\"step\":17}",
            "[]:::muster::{\"no\":8}",
            "::muster::",
            "::muster::::muster::{\"step\":6}",
            "::muster::{\"step\":7}");

    private static final class Found implements ReportLines.Sink {
        private final List<String> reports = new ArrayList<>();
        private int tooLong;

        @Override
        public void report(byte[] json) {
            reports.add(new String(json, StandardCharsets.UTF_8).strip());
        }

        @Override
        public void tooLong() {
            tooLong++;
        }
    }

    private static Found found(boolean marked, String text, int piece) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Found found = new Found();
        ReportLines lines = new ReportLines(marked);
        for (int from = 0; from < bytes.length; from += piece) {
            byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece));
            lines.feed(part, part.length, found);
        }
        lines.end(found);
        return found;
    }

    @Property(tries = 100)
    void whatFollowsTheMarkHoweverItArrives(@ForAll @IntRange(min = 1, max = 200) int piece) {
        assertThat(found(true, LOG, piece).reports)
                .containsExactly(
                        "{\"step\":1}",
                        "{\"step\":11}",
                        "{\"step\":12}",
                        "{\"step\":13}",
                        "{\"no",
                        "{\"step\":2}",
                        "{\"step\":3}",
                        "{\"step\":4}",
                        "{\"step\":5}",
                        "{\"step\":16}",
                        "{\"step\":17}",
                        "::muster::{\"step\":6}",
                        "{\"step\":7}");
    }

    @Test
    void inAReportFileEveryLineIsOne() {
        assertThat(found(false, "{\"step\":1}\n\n{\"step\":2}\n{\"step\":3}", 7).reports)
                .containsExactly("{\"step\":1}", "{\"step\":2}", "{\"step\":3}");
    }

    @Test
    void aReportOfMoreThan64KiBIsPassedOverAndTheNextIsRead() {
        String longest = "x".repeat(64 * 1024);
        Found found = found(true, "::muster::" + longest + "\n::muster::" + longest + "y\n::muster::z\n", 1000);
        assertThat(found.reports).containsExactly(longest, "z");
        assertThat(found.tooLong).isEqualTo(1);
    }

    @Test
    void whatIsPendingBeginsTheLineThatIsNotComplete() {
        ReportLines lines = new ReportLines(true);
        Found found = new Found();
        byte[] begun = "text\n::muster::{\"st".getBytes(StandardCharsets.UTF_8);
        lines.feed(begun, begun.length, found);
        assertThat(lines.pending()).isEqualTo("::muster::{\"st".length());
        byte[] other = "ep\":1}\nhello".getBytes(StandardCharsets.UTF_8);
        lines.feed(other, other.length, found);
        assertThat(lines.pending()).isZero();
        assertThat(found.reports).containsExactly("{\"step\":1}");
    }

    @Test
    void whatIsPendingBehindAProgressBarBeginsAtTheMark() {
        for (String begun : List.of("::mus", "::muster::", "::muster::{\"st")) {
            ReportLines lines = new ReportLines(true);
            byte[] bytes = (" 8%|# | 5/60" + begun).getBytes(StandardCharsets.UTF_8);
            lines.feed(bytes, bytes.length, new Found());
            assertThat(lines.pending()).isEqualTo(begun.length());
        }
    }
}
