package dev.muster.cli.command;

import dev.muster.cli.base.Output;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Prints output of processes: for people as it comes, for scripts as JSON. */
interface OutputPrinter {
    void print(byte[] bytes, int count);

    /** All of it was printed. */
    void end();

    /** As it comes. */
    static OutputPrinter text(Output out) {
        return new OutputPrinter() {
            @Override
            public void print(byte[] bytes, int count) {
                out.bytes(bytes, 0, count);
            }

            @Override
            public void end() {
                out.flush();
            }
        };
    }

    /**
     * Objects {@code {"process","attempt","text"}}.
     *
     * @param prefixes what stands before each line
     * @param lines    one object a line, instead of one list of all
     */
    static OutputPrinter json(Output out, LinePrefixes prefixes, boolean lines) {
        return new JsonOutput(out, prefixes, lines);
    }

    /** Collects lines; memory holds one line. */
    final class JsonOutput implements OutputPrinter {
        private final Output out;
        private final LinePrefixes prefixes;
        private final boolean lines;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private boolean first = true;

        private JsonOutput(Output out, LinePrefixes prefixes, boolean lines) {
            this.out = out;
            this.prefixes = prefixes;
            this.lines = lines;
        }

        @Override
        public void print(byte[] bytes, int count) {
            int from = 0;
            for (int at = 0; at < count; at++) {
                if (bytes[at] == '\n') {
                    line.write(bytes, from, at - from);
                    object();
                    from = at + 1;
                }
            }
            line.write(bytes, from, count - from);
        }

        @Override
        public void end() {
            if (line.size() > 0) {
                object();
            }
            if (!lines) {
                out.line((first ? "{\"items\":[" : "") + "],\"next\":null}");
            }
            out.flush();
        }

        private void object() {
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            String json = prefixes.read(text).toJson().toString();
            if (lines) {
                out.line(json);
            } else {
                out.print((first ? "{\"items\":[" : ",") + json);
            }
            first = false;
        }
    }
}
