package dev.muster.cli.command;

import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;

/** One command. */
public interface Command {
    Syntax syntax();

    /**
     * Does it.
     *
     * @throws Failure when it cannot be done
     */
    ExitCode run(Session session);
}
