package dev.muster.cli.command;

import dev.muster.api.ProcessDocument;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Query;
import dev.muster.cli.format.PlainText;
import dev.muster.cli.screen.OutputText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines a process printed. */
final class LastOutput {
    private static final int COUNT = 20;
    private static final int LONGEST = 2_000;
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Deque<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private LastOutput() {}

    /** Of the attempt shown; empty when they cannot be had, for they only explain. */
    static List<String> of(Api api, String job, ProcessDocument process) {
        Query query = new Query().put("process", process.name()).put("attempt", Integer.toString(process.attempt()));
        LastOutput last = new LastOutput();
        try (InputStream in = api.logs(job, query, false, SILENCE).content()) {
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                last.take(buffer, count);
            }
            last.endLine();
            return List.copyOf(last.lines);
        } catch (IOException | Failure notToBeHad) {
            return List.of();
        }
    }

    private void take(byte[] bytes, int count) {
        for (int at = 0; at < count; at++) {
            if (bytes[at] == '\n') {
                endLine();
            } else if (line.size() < LONGEST) {
                line.write(bytes[at]);
            }
        }
    }

    private void endLine() {
        String text = PlainText.of(line.toString(StandardCharsets.UTF_8));
        if (!text.isBlank() && !text.startsWith(OutputText.REPORT)) {
            lines.addLast(line.size() < LONGEST ? text : text + " ...");
        }
        if (lines.size() > COUNT) {
            lines.removeFirst();
        }
        line.reset();
    }
}
