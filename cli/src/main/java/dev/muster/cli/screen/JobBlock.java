package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.format.Counts;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Lines;
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
    private static final int LINES_OF_A_TEXT = 2;
    private static final String INDENT = "  ";

    private JobBlock() {}

    /**
     * The lines, the first of them first.
     *
     * @param since   when the job came into its state; counts until its first start
     * @param now     what the service's clock shows
     * @param notice  what else a person should know, such as that the service is not reached
     * @param columns no line is wider
     * @param rows    no more lines
     */
    static List<String> lines(
            JobDocument job,
            Instant since,
            Optional<Instant> now,
            Optional<String> notice,
            Style style,
            int columns,
            int rows) {
        List<String> lines = new ArrayList<>();
        lines.add(headline(job, since, now, style, columns));
        String progress = ProgressLine.of(job.progress(), columns - INDENT.length());
        if (!progress.isEmpty()) {
            lines.add(INDENT + progress);
        }
        if (job.reason().isPresent() && !job.isFinal()) {
            lines.addAll(Lines.wrap(INDENT + job.reason().get(), columns, LINES_OF_A_TEXT));
        }
        if (job.noContact().isPresent()
                && job.reason().filter(NoContact::isTold).isEmpty()) {
            String text = INDENT + NoContact.WORDS + since(job.noContact(), now);
            lines.addAll(Lines.wrap(text, columns, LINES_OF_A_TEXT));
        }
        Optional<String> slow =
                job.straggler().map(straggler -> "straggler " + straggler.process() + ": " + straggler.reason());
        for (String text : List.of(job.warning().orElse(""), slow.orElse(""))) {
            if (!text.isEmpty()) {
                lines.addAll(Lines.wrap(INDENT + text, columns, LINES_OF_A_TEXT));
            }
        }
        if (notice.isPresent()) {
            Lines.wrap(INDENT + notice.get(), columns, LINES_OF_A_TEXT).forEach(line -> lines.add(style.bad(line)));
        }
        int room = Math.max(FEWEST_PROCESSES, rows - lines.size());
        lines.addAll(processes(job.processes(), now, style, columns, room));
        return lines;
    }

    /** What matters most is there at any width: the name, the state, the time. */
    private static String headline(JobDocument job, Instant since, Optional<Instant> now, Style style, int columns) {
        String took = duration(Optional.of(job.startedAt().orElse(since)), job.finishedAt(), now);
        String position = job.queuePosition().isPresent()
                ? "place " + job.queuePosition().getAsInt() + " in queue " + job.queue()
                : "";
        String restarts = job.restarts() == 0 ? "" : Counts.of(job.restarts(), "restart", "restarts");
        int state = TextWidth.of(joined(job.state(), took));
        String name = TextWidth.cut(job.name(), Math.max(1, columns - state - 2));
        int left = columns - TextWidth.of(name) - state - 2;
        boolean hasId = left >= job.id().length() + 2;
        String more = Lines.join(
                List.of(position, restarts), left - 2 - (hasId ? job.id().length() + 2 : 0));
        return joined(style.bold(name), hasId ? job.id() : "", style.state(job.state()), took, more);
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
            lines.add(TextWidth.cut(
                    "  and " + Counts.of(all.size() - shown.size(), "more process", "more processes"), columns));
        }
        return lines;
    }

    private static String process(
            ProcessDocument process, Optional<Instant> now, Style style, int columns, int nameWidth) {
        String name = process.name() + " ".repeat(nameWidth - process.name().length());
        String rank = process.rank().isPresent() ? "rank " + process.rank().getAsInt() : "";
        String attempt = process.attempt() > 1 ? "attempt " + process.attempt() : "";
        String took = duration(process.startedAt(), process.finishedAt(), now);
        String gap =
                " ".repeat(Math.max(0, "Stopping".length() - process.state().length()));
        String shownName = TextWidth.cut(name, Math.max(1, columns - 2 * INDENT.length() - "Stopping".length()));
        String begin = INDENT + shownName + INDENT;
        int left = columns - TextWidth.of(begin) - process.state().length() - gap.length() - 2;
        String reason = process.reason().orElse("");
        String rest = joined(rank, ended(process), attempt, took, reason);
        if (TextWidth.of(rest) > left) {
            rest = Lines.join(List.of(ended(process), attempt, took, rank), left);
        }
        return begin + style.state(process.state()) + (rest.isEmpty() ? "" : gap + "  " + rest);
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
        // The service's clock is known to the second only, so now may seem to be before then.
        Duration between = Duration.between(from.get(), end.get());
        Duration duration = between.isNegative() ? Duration.ZERO : between;
        // While it runs only whole seconds are shown, or the view would flicker.
        Duration shown = to.isPresent() ? duration : Duration.ofSeconds(duration.toSeconds());
        return to.isPresent() || shown.toSeconds() >= 10 ? Durations.show(shown) : shown.toSeconds() + " s";
    }

    private static String since(Optional<Instant> then, Optional<Instant> now) {
        String duration = duration(then, Optional.empty(), now);
        return duration.isEmpty() ? "" : " for " + duration;
    }
}
