package dev.muster.cli.command;

import dev.muster.api.Json;
import dev.muster.cli.base.Output;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

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
     * Objects {@code {"process","text"}}.
     *
     * @param process whose output it is; told by the prefix of each line when empty
     * @param lines   one object a line, instead of one list of all
     */
    static OutputPrinter json(Output out, Optional<String> process, boolean lines) {
        return new JsonOutput(out, process, lines);
    }

    /** Collects lines; memory holds one line. */
    final class JsonOutput implements OutputPrinter {
        private static final String SEPARATOR = " | ";

        private final Output out;
        private final Optional<String> process;
        private final boolean lines;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private boolean first = true;

        private JsonOutput(Output out, Optional<String> process, boolean lines) {
            this.out = out;
            this.process = process;
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
            int separator = process.isPresent() ? -1 : text.indexOf(SEPARATOR);
            Optional<String> owner = separator < 0 ? process : Optional.of(text.substring(0, separator));
            String json = Json.object()
                    .put("process", Json.ofText(owner))
                    .put("text", separator < 0 ? text : text.substring(separator + SEPARATOR.length()))
                    .build()
                    .toString();
            if (lines) {
                out.line(json);
            } else {
                out.print((first ? "{\"items\":[" : ",") + json);
            }
            first = false;
        }
    }
}
