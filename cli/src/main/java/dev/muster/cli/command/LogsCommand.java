package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Arguments;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Query;
import dev.muster.cli.follow.Feed;
import dev.muster.cli.follow.JobFollower;
import dev.muster.cli.follow.Sight;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code logs ID}: what the processes printed, without their reports; with {@code --raw} byte for byte. */
public final class LogsCommand implements Command {
    private static final Duration SILENCE = Duration.ofMinutes(5);
    private static final Duration TURN = Duration.ofSeconds(1);

    @Override
    public Syntax syntax() {
        return Syntax.of("logs", "what the processes of a job printed")
                .operand("ID", Options.JOB)
                .option(Option.value(
                        "-p --process", "NAME", "only of this process, such as worker-0, and without prefix"))
                .option(Option.value("--attempt", "N", "a number, or all; the latest unless told"))
                .option(Options.FOLLOW)
                .option(Option.flag("--reports", "also the lines by which a script reports progress (::muster::{...})"))
                .option(Option.flag("--raw", "the bytes as they were written; needs --process"))
                .detail("With -f it begins with the first line, goes on over restarts, and ends with the job.");
    }

    @Override
    public ExitCode run(Session session) {
        check(session.arguments());
        // By its id, so that a name cannot mean another job in between, and a wrong one is told at once.
        String id = session.api().jobDocument(session.arguments().operand(0)).id();
        if (session.arguments().has("--follow")) {
            return follow(session, id);
        }
        Query query = new Query()
                .put("process", session.arguments().value("--process"))
                .put("attempt", session.arguments().value("--attempt"))
                .flag("raw", session.arguments().has("--raw"));
        try (InputStream in = session.api()
                .logs(id, query, session.arguments().has("--raw"), SILENCE)
                .content()) {
            OutputPrinter printer = printer(session, false);
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                printer.print(buffer, count);
            }
            printer.end();
        } catch (IOException broken) {
            throw Failure.notReached("the log broke off: " + broken.getMessage() + "; ask again");
        }
        return ExitCode.DONE;
    }

    private static void check(Arguments arguments) {
        if (arguments.has("--raw") && !arguments.has("--process")) {
            throw Failure.badField(
                    "--raw", "needs --process: bytes of several processes cannot be told apart", "--process worker-0");
        }
        if (arguments.has("--follow") && (arguments.has("--attempt") || arguments.has("--raw"))) {
            throw Failure.badInput(
                    "-f goes over all attempts and gives lines",
                    List.of(new FieldProblem(
                            "-f", "cannot be joined with --attempt or --raw", Optional.of("leave one out"))));
        }
    }

    private static ExitCode follow(Session session, String id) {
        Optional<String> process = session.arguments().value("--process");
        boolean local = session.server().isEmpty();
        OutputPrinter printer = printer(session, true);
        try (JobFollower follower = new JobFollower(session.api(), id, Set.of(Feed.Kind.OUTPUT), process, local)) {
            while (true) {
                Optional<Sight> sight = follower.next(TURN);
                if (sight.isEmpty()) {
                    session.out().flush();
                    continue;
                }
                switch (sight.get()) {
                    case Sight.Output output -> {
                        printer.print(output.bytes(), output.bytes().length);
                        session.out().flush();
                    }
                    case Sight.Lost(String why) ->
                        session.notes().say("the service is not reached (" + why + "); looking for it");
                    case Sight.Found _ -> session.notes().say("the service is reached again");
                    case Sight.Broken(Failure failure) -> throw failure;
                    case Sight.Ended _ -> {
                        printer.end();
                        session.notes().say(end(session.api().jobDocument(id)));
                        return ExitCode.DONE;
                    }
                    case Sight.Job _ -> throw new IllegalStateException("the job was not asked for");
                    case Sight.Event _ -> throw new IllegalStateException("events were not asked for");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.DETACHED;
        }
    }

    /** Said beside the log, which does not tell it. */
    private static String end(JobDocument job) {
        String reason = job.state().equals("Succeeded")
                ? ""
                : job.reason().map(text -> ": " + text).orElse("");
        return "job " + job.name() + " " + job.id() + " is " + job.state() + reason;
    }

    private static OutputPrinter printer(Session session, boolean lines) {
        Optional<String> process = session.arguments().value("--process");
        boolean allAttempts = session.arguments().value("--attempt").equals(Optional.of("all"));
        if (!session.json()) {
            OutputPrinter text = OutputPrinter.text(session.out());
            boolean all =
                    session.arguments().has("--reports") || session.arguments().has("--raw");
            return all ? text : new ReportFilter(text, process.isEmpty() || allAttempts);
        }
        LinePrefixes prefixes = new LinePrefixes(process, allAttempts);
        return OutputPrinter.json(session.out(), prefixes, lines);
    }
}
