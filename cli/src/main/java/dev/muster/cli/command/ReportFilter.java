package dev.muster.cli.command;

import dev.muster.cli.screen.OutputText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Leaves out the lines that report progress; every other byte comes through unchanged. Memory holds the beginning of one line. */
final class ReportFilter implements OutputPrinter {
    private static final byte[] REPORT = OutputText.REPORT.getBytes(StandardCharsets.UTF_8);
    private static final byte[] SEPARATOR = " | ".getBytes(StandardCharsets.UTF_8);
    /** Longer than any prefix of a process. */
    private static final int LONGEST_PREFIX = 200;

    private final OutputPrinter printer;
    private final boolean prefixed;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private Line line = Line.UNDECIDED;

    private enum Line {
        UNDECIDED,
        SHOWN,
        LEFT_OUT
    }

    /** @param prefixed whether each line begins with its process or its attempt */
    ReportFilter(OutputPrinter printer, boolean prefixed) {
        this.printer = printer;
        this.prefixed = prefixed;
    }

    @Override
    public void print(byte[] bytes, int count) {
        int from = 0;
        for (int at = 0; at < count; at++) {
            boolean ends = bytes[at] == '\n';
            if (line == Line.UNDECIDED) {
                beginning.write(bytes[at]);
                from = at + 1;
                decide(ends);
            }
            if (ends) {
                show(bytes, from, at + 1);
                from = at + 1;
                line = Line.UNDECIDED;
            }
        }
        show(bytes, from, count);
    }

    private void show(byte[] bytes, int from, int to) {
        if (line == Line.SHOWN && to > from) {
            byte[] part = new byte[to - from];
            System.arraycopy(bytes, from, part, 0, part.length);
            printer.print(part, part.length);
        }
    }

    private void decide(boolean ends) {
        byte[] begun = beginning.toByteArray();
        int text = prefixed ? behindPrefix(begun) : 0;
        boolean unclear = text < 0 ? begun.length < LONGEST_PREFIX : begun.length - text < REPORT.length;
        if (unclear && !ends && (text < 0 || isReport(begun, text))) {
            return;
        }
        line = !unclear && text >= 0 && isReport(begun, text) ? Line.LEFT_OUT : Line.SHOWN;
        if (line == Line.SHOWN) {
            printer.print(begun, begun.length);
        }
        beginning.reset();
    }

    /** Whether it is a report as far as it goes. */
    private static boolean isReport(byte[] begun, int text) {
        for (int at = 0; at < REPORT.length && text + at < begun.length; at++) {
            if (begun[text + at] != REPORT[at]) {
                return false;
            }
        }
        return true;
    }

    private static int behindPrefix(byte[] begun) {
        for (int at = 0; at + SEPARATOR.length <= begun.length; at++) {
            if (begun[at] == SEPARATOR[0] && begun[at + 1] == SEPARATOR[1] && begun[at + 2] == SEPARATOR[2]) {
                return at + SEPARATOR.length;
            }
        }
        return -1;
    }

    @Override
    public void end() {
        if (line == Line.UNDECIDED && beginning.size() > 0) {
            printer.print(beginning.toByteArray(), beginning.size());
        }
        printer.end();
    }
}
