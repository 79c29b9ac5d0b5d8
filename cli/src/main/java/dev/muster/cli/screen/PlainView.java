package dev.muster.cli.screen;

import dev.muster.api.EventDocument;
import dev.muster.api.JobDocument;
import dev.muster.cli.base.Output;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.Sight;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** One line after the other, for files and simple terminals: changes of state with their times, progress now and then, output. */
public final class PlainView implements JobView {
    private static final long PROGRESS_NANOSECONDS = 5_000_000_000L;
    private static final long PREPARATION_NANOSECONDS = 2_000_000_000L;
    /** A wait that a person would not notice. */
    private static final long SHORT_NANOSECONDS = 500_000_000L;

    private final Output out;
    private final DateTimeFormatter clock;
    private String progress = "";
    private String reason = "";
    private String state = "";
    private String wait = "";
    private String waitTold = "";
    private long waitsSince;
    private long waitToldAt;
    private long progressAt;
    private Optional<EventDocument> end = Optional.empty();
    private boolean outputOver;
    private boolean lost;
    private boolean closed;

    public PlainView(Output out, ZoneId zone) {
        this.out = out;
        this.clock = DateTimeFormatter.ofPattern("HH:mm:ss").withZone(zone);
    }

    @Override
    public synchronized void show(Sight sight) {
        if (closed) {
            return;
        }
        switch (sight) {
            case Sight.Event event -> event(event.document());
            case Sight.Job job -> {
                waiting(job.document());
                progress(job.document());
            }
            case Sight.Output output -> OutputText.of(output).ifPresent(out::line);
            case Sight.Lost(String why) -> {
                if (!lost) {
                    out.line("the service is not reached (" + why + "); looking for it");
                }
                lost = true;
            }
            case Sight.Found _ -> {
                if (lost) {
                    out.line("the service is reached again");
                }
                lost = false;
            }
            case Sight.Ended(Feed.Kind feed) -> {
                outputOver |= feed == Feed.Kind.OUTPUT;
                end();
            }
            case Sight.Broken _ -> {
                // The caller tells.
            }
        }
        out.flush();
    }

    private void event(EventDocument event) {
        if (event.kind().equals("job") && isFinal(event.to())) {
            end = Optional.of(event);
            end();
            return;
        }
        line(event);
    }

    /** The end is told after the last line of output, which may come a moment later. */
    private void end() {
        if (outputOver && end.isPresent()) {
            // Why is told by who shows the end.
            out.line(at(end.get().at()) + "  " + end.get().to());
            end = Optional.empty();
        }
    }

    private static boolean isFinal(String state) {
        return state.equals("Succeeded") || state.equals("Failed") || state.equals("Cancelled");
    }

    private void line(EventDocument event) {
        if (event.kind().equals("job")) {
            out.line(at(event.at()) + "  " + event.to() + reason(event));
        } else if (EventTable.isRemark(event)) {
            out.line(at(event.at()) + "  " + EventTable.remark(event));
        } else if (event.to().equals("Exited") || event.to().equals("Lost")) {
            out.line(at(event.at()) + "  " + event.process().orElse("a process") + " " + event.to() + reason(event));
        }
    }

    /** One that was just told is not told again; of one that goes on from it, only how. */
    private String reason(EventDocument event) {
        String now = event.reason().orElse("");
        String before = reason;
        if (now.isEmpty()) {
            return "";
        }
        reason = now;
        if (now.equals(before)) {
            return "";
        }
        boolean goesOn = !before.isEmpty() && now.startsWith(before + " ");
        return goesOn ? "  ..." + now.substring(before.length()) : "  " + now;
    }

    /** Why it does not run, or not as it should, once that holds for long enough to be noticed. */
    private void waiting(JobDocument job) {
        if (!job.state().equals(state)) {
            state = job.state();
            waitsSince = System.nanoTime();
        }
        Optional<String> late = job.state().equals("Starting") ? job.warning() : Optional.empty();
        wait = job.isFinal() ? "" : late.or(job::reason).orElseGet(() -> place(job));
        tellWait();
    }

    private static String place(JobDocument job) {
        if (!job.state().equals("Queued")) {
            return "";
        }
        return job.queuePosition().isPresent()
                ? "place " + job.queuePosition().getAsInt() + " in queue " + job.queue()
                : "in queue " + job.queue();
    }

    /** What is done to prepare a job changes often; what was told of a change of state is not told again. */
    private void tellWait() {
        long now = System.nanoTime();
        boolean prepares = state.equals("Admitted") && !NoContact.isTold(wait);
        boolean lasts = now - waitsSince >= (prepares ? PREPARATION_NANOSECONDS : SHORT_NANOSECONDS);
        boolean due =
                waitTold.isEmpty() || now - waitToldAt >= (prepares ? PREPARATION_NANOSECONDS : PROGRESS_NANOSECONDS);
        if (!wait.isEmpty() && !wait.equals(waitTold) && !wait.equals(reason) && lasts && due) {
            waitTold = wait;
            waitToldAt = now;
            reason = wait;
            out.line("          " + wait);
            out.flush();
        }
    }

    private void progress(JobDocument job) {
        String line = ProgressLine.of(job.progress());
        boolean due = progress.isEmpty() || System.nanoTime() - progressAt >= PROGRESS_NANOSECONDS || job.isFinal();
        if (!line.isEmpty() && due && !line.equals(progress)) {
            progress = line;
            progressAt = System.nanoTime();
            out.line("          " + line);
        }
    }

    private String at(Instant time) {
        return clock.format(time);
    }

    @Override
    public synchronized void say(String line) {
        if (!closed) {
            out.line(line);
            out.flush();
        }
    }

    @Override
    public synchronized void tick() {
        if (!closed) {
            tellWait();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
