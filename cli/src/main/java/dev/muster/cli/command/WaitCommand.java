package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.format.Durations;
import dev.muster.formats.json.JsonFields;
import java.time.Duration;
import java.util.Optional;

/** {@code wait ID}: ends with the job, by its result. */
public final class WaitCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("wait", "wait for the end of a job: exit code 0 Succeeded, 1 Failed, 3 Cancelled, 7 timed out")
                .operand("ID", Options.JOB)
                .option(Option.value("--timeout", "DURATION", "wait at most so long, such as 90s, 10m, 1h30m"));
    }

    @Override
    public ExitCode run(Session session) {
        Optional<Duration> timeout = session.arguments().value("--timeout").map(WaitCommand::duration);
        // By its id, so that a name cannot come to mean another job.
        JsonFields answer = session.api().job(session.arguments().operand(0));
        JobDocument now = JobDocument.of(answer);
        JsonFields end = now.isFinal() ? answer : JobWait.untilFinal(session, now.id(), now.state(), timeout);
        JobActions.show(session, end);
        return ExitCode.ofFinalState(JobDocument.of(end).state());
    }

    private static Duration duration(String text) {
        return Durations.parse(text)
                .orElseThrow(() ->
                        Failure.badField("--timeout", "is a duration, not " + text, "such as 90s, 10m, 1h30m or 0"));
    }
}
