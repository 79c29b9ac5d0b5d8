package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.cli.base.Output;
import dev.muster.cli.client.ServiceTime;
import dev.muster.cli.follow.Sight;
import dev.muster.cli.format.Lines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The job and its processes at the bottom of a terminal, kept up to date; output of the processes scrolls by above. Drawn a few
 * times a second at most, each time in one write, so it does not flicker.
 */
public final class LiveView implements JobView {
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final long FRAME_NANOSECONDS = 100_000_000L;
    /** Lines left for output above the block. */
    private static final int LEFT_FOR_OUTPUT = 3;

    private final Output out;
    private final Screen screen;
    private final ServiceTime time;
    private final Style style = new Style(true);
    private final List<String> above = new ArrayList<>();
    private Optional<JobDocument> job = Optional.empty();
    private Optional<Instant> since = Optional.empty();
    private Optional<String> notice = Optional.empty();
    private List<String> drawn = List.of();
    private long drawnAt;
    private boolean started;
    private boolean closed;

    public LiveView(Output out, Screen screen, ServiceTime time) {
        this.out = out;
        this.screen = screen;
        this.time = time;
    }

    @Override
    public synchronized void show(Sight sight) {
        switch (sight) {
            case Sight.Job seen -> job = Optional.of(seen.document());
            case Sight.Output output -> OutputText.of(output).ifPresent(above::add);
            case Sight.Lost lost ->
                notice = Optional.of("the service is not reached (" + lost.why() + "); looking for it");
            case Sight.Found _ -> notice = Optional.empty();
            case Sight.Event event -> {
                if (event.document().kind().equals("job")) {
                    since = Optional.of(event.document().at());
                } else if (EventTable.isRemark(event.document())) {
                    above.addAll(Lines.wrap(EventTable.remark(event.document()), columns()));
                }
            }
            case Sight.Ended _ -> {
                // The caller counts them.
            }
            case Sight.Broken _ -> {
                // The caller tells.
            }
        }
        tick();
    }

    @Override
    public synchronized void say(String line) {
        above.addAll(Lines.wrap(line, columns()));
        tick();
    }

    @Override
    public synchronized void tick() {
        if (!closed && System.nanoTime() - drawnAt >= FRAME_NANOSECONDS) {
            draw();
        }
    }

    private void draw() {
        drawnAt = System.nanoTime();
        int rows = Math.max(2, screen.rows() - LEFT_FOR_OUTPUT);
        List<String> lines = job.isPresent()
                ? JobBlock.lines(
                        job.get(), since.orElse(job.get().submittedAt()), time.now(), notice, style, columns(), rows)
                : List.of();
        if (above.isEmpty() && lines.equals(drawn)) {
            return;
        }
        StringBuilder frame = new StringBuilder(started ? "" : HIDE_CURSOR);
        started = true;
        erase(frame);
        for (String line : above) {
            frame.append(line).append('\n');
        }
        for (String line : lines) {
            frame.append(line).append('\n');
        }
        above.clear();
        drawn = lines;
        out.print(frame.toString());
        out.flush();
    }

    /** The last column stays free: a terminal may wrap a line that fills it. */
    private int columns() {
        return Math.max(20, screen.columns() - 1);
    }

    private void erase(StringBuilder frame) {
        if (!drawn.isEmpty()) {
            frame.append("\u001b[").append(drawn.size()).append("A\r").append(CLEAR_BELOW);
        }
    }

    /** Output that waits is shown; the block goes, because what is said next tells the end. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        StringBuilder frame = new StringBuilder();
        erase(frame);
        above.forEach(line -> frame.append(line).append('\n'));
        frame.append(started ? SHOW_CURSOR : "");
        out.print(frame.toString());
        out.flush();
    }
}
