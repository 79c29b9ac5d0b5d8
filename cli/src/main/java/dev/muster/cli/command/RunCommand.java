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
        try {
            return session.json() ? new JsonRun(session, id).follow(cancel) : new ViewedRun(session, id).follow(cancel);
        } catch (Output.ClosedOutput readerGone) {
            session.notes().say(RunInterrupt.left(id));
            return ExitCode.DETACHED;
        }
    }
}
