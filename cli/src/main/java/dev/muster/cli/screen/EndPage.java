package dev.muster.cli.screen;

import dev.muster.api.Called;
import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.format.Counts;
import dev.muster.cli.format.Digests;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Lines;
import dev.muster.cli.format.TextWidth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** How a job ended, for the person who followed it. */
public final class EndPage {
    private static final Duration NOTICED = Duration.ofSeconds(1);

    private final Style style;
    private final int columns;
    private final Called called;

    /**
     * @param columns where a line would be wider, it is put on several, and no word is broken
     * @param called  how the reader calls this command line
     */
    public EndPage(Style style, int columns, Called called) {
        this.style = style;
        this.columns = columns;
        this.called = called;
    }

    /** The result, the time of each phase, and the model. */
    public void write(JobDocument job, Phases phases, Consumer<String> lines) {
        String restarts = job.restarts() == 0 ? "" : ", " + Counts.of(job.restarts(), "restart", "restarts");
        String took = took(job).map(time -> " after " + time).orElse("");
        String reason = job.state().equals("Succeeded") || job.reason().isEmpty()
                ? ""
                : ": " + job.reason().get();
        String head = job.name() + " " + job.id() + " " + job.state();
        List<String> result = Lines.wrap(head + took + restarts + reason, columns);
        String first = result.getFirst();
        lines.accept(
                first.startsWith(head)
                        ? style.bold(job.name()) + " " + job.id() + " " + style.state(job.state())
                                + first.substring(head.length())
                        : first);
        result.stream().skip(1).forEach(lines);
        if (!phases.toString().isEmpty()) {
            Lines.wrap("  " + phases, columns).forEach(lines);
        }
        List<String> metrics = ProgressLine.metrics(job.progress().metrics());
        if (job.model().isPresent()) {
            model(job.model().get(), metrics, lines);
        } else if (!metrics.isEmpty()) {
            Lines.wrap("  last reported: " + String.join("  ", metrics), columns)
                    .forEach(lines);
        }
    }

    /** On one line, or with each of its parts on lines of its own: a command that is to be copied is not broken where it fits. */
    private void model(ModelReference model, List<String> metrics, Consumer<String> lines) {
        String version = model.name() + "@" + model.version();
        String name = "model " + style.bold(version) + "  " + Digests.brief(model.digest());
        int width = TextWidth.of("model " + version + "  " + Digests.brief(model.digest()));
        String all = String.join("  ", metrics);
        String command = called.in("-> muster model get " + version + " DIR");
        String rest = (all.isEmpty() ? "" : "  " + all) + "  " + command;
        if (width + TextWidth.of(rest) <= columns) {
            lines.accept(name + rest);
            return;
        }
        lines.accept(name);
        if (!all.isEmpty()) {
            Lines.wrap("  " + all, columns).forEach(lines);
        }
        lines.accept("  " + command);
    }

    /** The last lines of the process that failed, and where there is more. */
    public void writeFailure(JobDocument job, ProcessDocument failed, List<String> lastLines, Consumer<String> lines) {
        if (!lastLines.isEmpty()) {
            lines.accept("last lines of " + failed.name() + ":");
            lastLines.forEach(line -> lines.accept("  " + line));
        }
        FailureHint.of(job, failed.role(), lastLines)
                .ifPresent(hint -> Lines.wrap(hint, columns).forEach(lines));
        String all = job.attempt() > 1 || failed.attempt() > 1 ? " --attempt all" : "";
        more(job, "muster logs " + job.id() + " --process " + failed.name() + all, lines);
    }

    /** Where to look after a failure of which no process is to blame. */
    public void writeFailure(JobDocument job, Consumer<String> lines) {
        more(job, "muster get " + job.id(), lines);
    }

    private void more(JobDocument job, String first, Consumer<String> lines) {
        List<String> commands = new ArrayList<>(List.of(first, "muster events " + job.id()));
        if (job.cause().equals(Optional.of("Stalled"))) {
            commands.add(1, "muster evidence " + job.id());
        }
        List<String> shown = commands.stream().map(called::in).toList();
        String line = "more: " + String.join("    ", shown);
        if (TextWidth.of(line) <= columns) {
            lines.accept(line);
        } else {
            lines.accept("more:");
            shown.forEach(command -> lines.accept("  " + command));
        }
    }

    /** The process that the reason names, else the first that ended badly. */
    public static Optional<ProcessDocument> failed(JobDocument job) {
        String reason = job.reason().orElse("");
        Optional<ProcessDocument> named = job.processes().stream()
                .filter(EndPage::endedBadly)
                .filter(process -> names(reason, process.name()))
                .findFirst();
        return named.isPresent()
                ? named
                : job.processes().stream()
                        .filter(EndPage::endedBadly)
                        .min(Comparator.comparing(
                                process -> process.finishedAt().orElse(Instant.MAX)));
    }

    private static boolean endedBadly(ProcessDocument process) {
        return process.state().equals("Lost") || process.exitCode().orElse(0) != 0;
    }

    /** As a word of its own: worker-1 is not named by worker-10. */
    private static boolean names(String sentence, String name) {
        for (int at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1)) {
            int end = at + name.length();
            boolean longer = end < sentence.length()
                    && (Character.isLetterOrDigit(sentence.charAt(end))
                            || end + 1 < sentence.length()
                                    && sentence.charAt(end) == '.'
                                    && Character.isDigit(sentence.charAt(end + 1)));
            boolean begins =
                    at == 0 || !Character.isLetterOrDigit(sentence.charAt(at - 1)) && sentence.charAt(at - 1) != '-';
            if (begins && !longer) {
                return true;
            }
        }
        return false;
    }

    /** From the submission on, and of that from the first start on, where somebody would notice the difference. */
    private static Optional<String> took(JobDocument job) {
        if (job.finishedAt().isEmpty()) {
            return Optional.empty();
        }
        Instant end = job.finishedAt().get();
        Duration all = Duration.between(job.submittedAt(), end);
        Duration started =
                job.startedAt().map(start -> Duration.between(start, end)).orElse(all);
        return Optional.of(
                all.minus(started).compareTo(NOTICED) < 0
                        ? Durations.show(started)
                        : Durations.show(all) + " (" + Durations.show(started) + " since its first start)");
    }
}
