package dev.muster.cli.command;

import dev.muster.api.ServiceDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.embedded.LocalService;

/** {@code local stop}: ends the embedded service and leaves workers running, or cancels them first. */
public final class LocalStopCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "local stop",
                        "stop the service of this machine; workers go on, and the next service takes them up")
                .option(Option.flag("--cancel", "cancel every live job first, and wait for that"));
    }

    @Override
    public ExitCode run(Session session) {
        boolean cancel = session.arguments().has("--cancel");
        ServiceDocument before = new LocalService(session.surroundings()).stop(cancel);
        if (session.json()) {
            session.write(ServiceDocument.NONE.toJson());
        } else if (before.running()) {
            String pid = before.pid().isPresent() ? " (pid " + before.pid().getAsLong() + ")" : "";
            session.out()
                    .line("stopped the service" + pid + "; "
                            + (cancel ? "every job was cancelled" : "running jobs go on"));
        } else {
            session.out().line("no service runs");
        }
        return ExitCode.DONE;
    }
}
