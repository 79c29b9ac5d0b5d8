package dev.muster.cli.follow;

import dev.muster.cli.client.Answer;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The lines of the processes. The stream always begins with the first line, and those of one process keep their order; so after a
 * break as many lines of each process are passed over as were seen before. A line longer than {@link #LONGEST} comes in pieces,
 * which keeps memory bounded.
 */
final class OutputFeed extends Feed {
    static final int LONGEST = 1 << 16;

    private static final byte[] SEPARATOR = " | ".getBytes(StandardCharsets.UTF_8);

    private final Optional<String> process;
    private final boolean local;
    private final Map<String, Long> seen = new HashMap<>();
    private Map<String, Long> toPass = new HashMap<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean inside;
    private boolean passing;
    private String owner = "";

    /**
     * @param process only this one's
     * @param local   whether the service runs here, where a broken connection is always noticed
     */
    OutputFeed(Api api, String job, Optional<String> process, boolean local, Consumer<Sight> sights) {
        super(Kind.OUTPUT, api, job, sights);
        this.process = process;
        this.local = local;
    }

    @Override
    protected Answer open() {
        Query query = new Query().put("follow", "true").put("process", process);
        return api.logs(job, query, false, local ? Duration.ZERO : Duration.ofMinutes(5));
    }

    @Override
    protected void read(InputStream in) throws IOException {
        startOver();
        byte[] buffer = new byte[LONGEST];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            int from = 0;
            for (int at = 0; at < count; at++) {
                if (buffer[at] == '\n') {
                    take(buffer, from, at + 1, true);
                    from = at + 1;
                }
            }
            take(buffer, from, count, false);
        }
    }

    /** The last line needs no end. */
    @Override
    protected void finish() {
        if (line.size() > 0) {
            give(true);
        }
    }

    private void startOver() {
        if (inside && !passing) {
            // A piece of a very long line was shown; all of it comes once more, on a line of its own.
            see(new Sight.Output(owner, new byte[] {'\n'}, false, true));
        }
        inside = false;
        line.reset();
        toPass = new HashMap<>(seen);
    }

    private void take(byte[] bytes, int from, int to, boolean ends) {
        line.write(bytes, from, to - from);
        if (ends || line.size() >= LONGEST) {
            give(ends);
        }
    }

    private void give(boolean ends) {
        if (!inside) {
            owner = process.isPresent() ? "" : owner(line.toByteArray());
            passing = toPass.getOrDefault(owner, 0L) > 0;
        }
        if (!passing) {
            see(new Sight.Output(owner, line.toByteArray(), !inside, ends));
        }
        if (ends) {
            Map<String, Long> counted = passing ? toPass : seen;
            counted.merge(owner, passing ? -1L : 1L, Long::sum);
        }
        inside = !ends;
        line.reset();
    }

    /** The prefix of the line up to {@code " | "}. */
    private static String owner(byte[] line) {
        for (int at = 0; at + SEPARATOR.length <= line.length; at++) {
            if (line[at] == SEPARATOR[0] && line[at + 1] == SEPARATOR[1] && line[at + 2] == SEPARATOR[2]) {
                return new String(line, 0, at, StandardCharsets.UTF_8);
            }
        }
        return "";
    }
}
