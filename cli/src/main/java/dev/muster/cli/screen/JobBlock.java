package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.TextWidth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The lines of the live view: the job, how far it is, its processes. A pure function of what is known. */
final class JobBlock {
    private static final int FEWEST_PROCESSES = 1;

    private JobBlock() {}

    /**
     * @param now     what the service's clock shows
     * @param notice  what else a person should know, such as that the service is not reached
     * @param columns no line is wider
     * @param rows    no more lines
     */
    static List<String> lines(
            JobDocument job, Optional<Instant> now, Optional<String> notice, Style style, int columns, int rows) {
        List<String> lines = new ArrayList<>();
        lines.add(headline(job, now, style, columns));
        String progress = ProgressLine.of(job.progress());
        if (!progress.isEmpty()) {
            lines.add(TextWidth.cut("  " + ProgressLine.bar(job.progress()) + progress, columns));
        }
        if (job.reason().isPresent() && !job.isFinal()) {
            lines.add(TextWidth.cut("  " + job.reason().get(), columns));
        }
        if (job.noContact().isPresent()) {
            lines.add(TextWidth.cut("  no contact with the backend" + since(job.noContact(), now), columns));
        }
        if (notice.isPresent()) {
            lines.add(style.bad(TextWidth.cut("  " + notice.get(), columns)));
        }
        int room = Math.max(FEWEST_PROCESSES, rows - lines.size());
        lines.addAll(processes(job.processes(), now, style, columns, room));
        return lines;
    }

    private static String headline(JobDocument job, Optional<Instant> now, Style style, int columns) {
        // Before the first start, how long it waits.
        Optional<Instant> since = job.startedAt().isPresent() ? job.startedAt() : Optional.of(job.submittedAt());
        String took = duration(since, job.finishedAt(), now);
        String position = job.queuePosition().isPresent()
                ? "place " + job.queuePosition().getAsInt() + " in queue " + job.queue()
                : "";
        String restarts = job.restarts() == 0 ? "" : job.restarts() + (job.restarts() == 1 ? " restart" : " restarts");
        String rest = joined(took, position, restarts);
        String plain = job.name() + "  " + job.id() + "  " + job.state() + (rest.isEmpty() ? "" : "  " + rest);
        if (TextWidth.of(plain) > columns) {
            return TextWidth.cut(plain, columns);
        }
        return style.bold(job.name()) + "  " + job.id() + "  " + style.state(job.state())
                + (rest.isEmpty() ? "" : "  " + rest);
    }

    private static List<String> processes(
            List<ProcessDocument> all, Optional<Instant> now, Style style, int columns, int room) {
        List<ProcessDocument> shown = new ArrayList<>(all);
        if (all.size() > room) {
            // Those that need a look come first; the others are counted.
            shown.sort(Comparator.comparing(process -> process.state().equals("Running") ? 1 : 0));
            shown = shown.subList(0, Math.max(0, room - 1));
        }
        int nameWidth = shown.stream()
                .mapToInt(process -> process.name().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (ProcessDocument process : shown) {
            lines.add(process(process, now, style, columns, nameWidth));
        }
        if (all.size() > shown.size()) {
            lines.add(TextWidth.cut("  and " + (all.size() - shown.size()) + " more processes", columns));
        }
        return lines;
    }

    private static String process(
            ProcessDocument process, Optional<Instant> now, Style style, int columns, int nameWidth) {
        String name = process.name() + " ".repeat(nameWidth - process.name().length());
        String rank = process.rank().isPresent() ? "rank " + process.rank().getAsInt() : "";
        String attempt = process.attempt() > 1 ? "attempt " + process.attempt() : "";
        String took = duration(process.startedAt(), process.finishedAt(), now);
        String rest =
                joined(rank, ended(process), attempt, took, process.reason().orElse(""));
        String gap =
                " ".repeat(Math.max(0, "Stopping".length() - process.state().length()));
        String plain = "  " + name + "  " + process.state() + gap + (rest.isEmpty() ? "" : "  " + rest);
        if (TextWidth.of(plain) > columns) {
            return TextWidth.cut(plain, columns);
        }
        return "  " + name + "  " + style.state(process.state()) + gap + (rest.isEmpty() ? "" : "  " + rest);
    }

    private static String ended(ProcessDocument process) {
        if (process.signal().isPresent()) {
            return "ended by " + process.signal().get();
        }
        return process.exitCode().isPresent()
                ? "exit code " + process.exitCode().getAsInt()
                : "";
    }

    private static String joined(String... parts) {
        return String.join(
                "  ", List.of(parts).stream().filter(part -> !part.isEmpty()).toList());
    }

    private static String duration(Optional<Instant> from, Optional<Instant> to, Optional<Instant> now) {
        Optional<Instant> end = to.isPresent() ? to : now;
        if (from.isEmpty() || end.isEmpty()) {
            return "";
        }
        Duration duration = Duration.between(from.get(), end.get());
        // While it runs only whole seconds are shown, or the view would flicker.
        Duration shown = to.isPresent() ? duration : Duration.ofSeconds(Math.max(0, duration.toSeconds()));
        return to.isPresent() || shown.toSeconds() >= 10 ? Durations.show(shown) : shown.toSeconds() + " s";
    }

    private static String since(Optional<Instant> then, Optional<Instant> now) {
        String duration = duration(then, Optional.empty(), now);
        return duration.isEmpty() ? "" : " for " + duration;
    }
}
