package dev.muster.cli.command;

import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;

/**
 * {@code server}: known here for its help alone. The muster script puts the service in its own place when the command begins with
 * {@code server}, so that a signal to the script's process is one to the service.
 */
public final class ServerCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("server", "a service for several people")
                .option(Option.value("--config", "FILE", "its configuration, see docs/server.md"))
                .option(Option.flag("--check", "tell every problem of the configuration and end"))
                .detail("Runs until SIGTERM; workers go on, and the next one takes them up.")
                .detail(
                        "Who may use it: muster server token create|list|revoke --config FILE, see muster server --help.");
    }

    @Override
    public ExitCode run(Session session) {
        throw Failure.badField("server", "is the first word of its command", "muster server --config FILE");
    }
}
