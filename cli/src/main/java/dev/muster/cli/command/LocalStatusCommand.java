package dev.muster.cli.command;

import dev.muster.api.ServiceDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.embedded.LocalService;
import java.util.Optional;

/** {@code local status}: the embedded service, without starting one. */
public final class LocalStatusCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("local status", "whether the service of this machine runs; starts none");
    }

    @Override
    public ExitCode run(Session session) {
        LocalService service = new LocalService(session.surroundings());
        ServiceDocument status = service.status();
        if (session.json()) {
            session.write(status.toJson());
            return ExitCode.DONE;
        }
        String home = "state in " + session.surroundings().home();
        if (!status.running()) {
            session.out().line("no service runs (" + home + "); the next command that needs one starts it");
            return ExitCode.DONE;
        }
        String pid = status.pid().isPresent() ? ", pid " + status.pid().getAsLong() : "";
        Optional<String> shared = service.sharedUrl();
        if (shared.isPresent()) {
            session.out()
                    .line("running" + pid + ", " + home + "; it is a service for several people: use --server "
                            + shared.get() + " and a token");
            return ExitCode.DONE;
        }
        if (status.address().isEmpty()) {
            session.out()
                    .line(
                            "running" + pid + ", " + home
                                    + "; service.json, in which it told where it listens, was removed: it writes that anew within seconds");
            return ExitCode.DONE;
        }
        session.out().line("running" + pid + ", " + status.address().get() + ", " + home);
        String build = status.build().orElse("unknown");
        String ours = session.surroundings().application().build();
        session.out()
                .line("build " + build
                        + (build.equals(ours)
                                ? ""
                                : "; this command line is of build " + ours + " and will replace it (workers go on)"));
        service.differentSettings().forEach(session::say);
        service.silentBackends().forEach(session.out()::line);
        return ExitCode.DONE;
    }
}
