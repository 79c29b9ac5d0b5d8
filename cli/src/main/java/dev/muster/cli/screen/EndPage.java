package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.format.Digests;
import dev.muster.cli.format.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** How a job ended, for the person who followed it. */
public final class EndPage {
    private final Style style;

    public EndPage(Style style) {
        this.style = style;
    }

    /** The result, the time of each phase, and the model. */
    public void write(JobDocument job, Phases phases, Consumer<String> lines) {
        String restarts =
                job.restarts() == 0 ? "" : ", " + job.restarts() + (job.restarts() == 1 ? " restart" : " restarts");
        String took = took(job).map(time -> " after " + time).orElse("");
        String reason = job.state().equals("Succeeded") || job.reason().isEmpty()
                ? ""
                : ": " + job.reason().get();
        lines.accept(
                style.bold(job.name()) + " " + job.id() + " " + style.state(job.state()) + took + restarts + reason);
        if (!phases.toString().isEmpty()) {
            lines.accept("  " + phases);
        }
        String metrics = String.join("  ", ProgressLine.metrics(job.progress().metrics()));
        if (job.model().isPresent()) {
            ModelReference model = job.model().get();
            String version = model.name() + "@" + model.version();
            lines.accept("model " + style.bold(version) + "  " + Digests.brief(model.digest())
                    + (metrics.isEmpty() ? "" : "  " + metrics) + "  -> muster model get " + version + " DIR");
        } else if (!metrics.isEmpty()) {
            lines.accept("  last reported: " + metrics);
        }
    }

    /** The last lines of the process that failed, and where there is more. */
    public void writeFailure(JobDocument job, ProcessDocument failed, List<String> lastLines, Consumer<String> lines) {
        if (!lastLines.isEmpty()) {
            lines.accept("last lines of " + failed.name() + ":");
            lastLines.forEach(line -> lines.accept("  " + line));
        }
        String all = job.attempt() > 1 || failed.attempt() > 1 ? " --attempt all" : "";
        lines.accept("more: muster logs " + job.id() + " --process " + failed.name() + all + "    muster events "
                + job.id());
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

    private static Optional<String> took(JobDocument job) {
        return job.startedAt().isPresent() && job.finishedAt().isPresent()
                ? Optional.of(Durations.show(
                        Duration.between(job.startedAt().get(), job.finishedAt().get())))
                : Optional.empty();
    }
}
