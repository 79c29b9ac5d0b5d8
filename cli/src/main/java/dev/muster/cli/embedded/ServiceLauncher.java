package dev.muster.cli.embedded;

import dev.muster.api.ServiceHome;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the service as a process of its own: its own session, so that neither Ctrl-C nor the end of the terminal reaches it, its
 * own folder, nothing on standard input, its output in a file.
 */
final class ServiceLauncher {
    private static final long LARGEST_OUTPUT = 1 << 20;
    /** For systems without setsid(1). */
    private static final String PERL_SETSID = "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit 127";

    private final Surroundings surroundings;

    ServiceLauncher(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Where what it prints goes, such as why its JVM does not start. */
    static Path output(ServiceHome home) {
        return home.folder().resolve("logs").resolve("service.out");
    }

    /**
     * A service that was started.
     *
     * @param outputFrom where what it prints begins in the file
     */
    record Started(Process process, long outputFrom) {}

    Started start(ServiceHome home) {
        List<String> command = new ArrayList<>(ownSession());
        command.addAll(java(home));
        try {
            Path output = output(home);
            if (Files.exists(output) && Files.size(output) > LARGEST_OUTPUT) {
                Files.move(output, output.resolveSibling("service.out.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(home.folder().toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
            Map<String, String> variables = builder.environment();
            variables.clear();
            variables.putAll(ServiceEnvironment.of(surroundings));
            long outputFrom = Files.exists(output) ? Files.size(output) : 0;
            return new Started(builder.start(), outputFrom);
        } catch (IOException failed) {
            throw Failure.notReached("the service cannot be started: " + failed.getMessage());
        }
    }

    private List<String> ownSession() {
        if (surroundings.program("setsid").isPresent()) {
            return List.of(surroundings.program("setsid").get().toString());
        }
        if (surroundings.program("perl").isPresent()) {
            return List.of(surroundings.program("perl").get().toString(), "-e", PERL_SETSID);
        }
        throw Failure.notReached("the service cannot be started apart from this terminal: neither setsid nor perl is on"
                + " PATH; install util-linux, or perl");
    }

    private List<String> java(ServiceHome home) {
        Surroundings.Application application = surroundings.application();
        if (application.library().isEmpty() || application.java().isEmpty()) {
            throw Failure.notReached("there is no service for " + home.folder()
                    + ", and this command line was not started by the muster script, which knows how to start one");
        }
        Path library = application.library().get();
        String java = application.java().get().toString();
        return List.of(
                java,
                "@" + library.resolve("server.args"),
                "-Dmuster.lib=" + library,
                "-Dmuster.java=" + java,
                "-Dmuster.build=" + application.build(),
                "dev.muster.server.Main",
                "--home",
                home.folder().toString());
    }
}
