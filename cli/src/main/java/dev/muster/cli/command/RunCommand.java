package dev.muster.cli.command;

import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Output;

/** {@code run FILE}: hands a job in, follows it, ends with its result. */
public final class RunCommand implements Command {
    private static final String CANCEL = "--cancel-on-interrupt";

    @Override
    public Syntax syntax() {
        return Syntax.of("run", "hand a job in, follow it, and end with its result")
                .operand("FILE", SubmitCommand.FILE)
                .option(Options.SET)
                .option(Option.flag(CANCEL, "Ctrl-C cancels the job; else it leaves it running"))
                .detail("Exit code: 0 Succeeded, 1 Failed, 3 Cancelled, 130 left running.")
                .detail(
                        "With -o json: the job whenever it changes, one object a line; the last line is what get shows.");
    }

    @Override
    public ExitCode run(Session session) {
        String id = SubmitCommand.submit(session);
        boolean cancel = session.arguments().has(CANCEL);
        return session.json() ? json(session, id, cancel) : viewed(session, id, cancel);
    }

    private static ExitCode json(Session session, String id, boolean cancel) {
        JsonRun run = new JsonRun(session, id);
        try {
            return run.follow(cancel);
        } catch (Output.ClosedOutput readerGone) {
            return ExitCode.DETACHED;
        }
    }

    private static ExitCode viewed(Session session, String id, boolean cancel) {
        ViewedRun run = new ViewedRun(session, id);
        try {
            return run.follow(cancel);
        } catch (Output.ClosedOutput readerGone) {
            session.notes().say(RunInterrupt.left(id, run.state()));
            return ExitCode.DETACHED;
        }
    }
}
