package dev.muster.server;

import dev.muster.model.BackendKind;
import dev.muster.model.Problem;
import dev.muster.server.config.ServerConfig;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the backends that a configuration names are there: their sockets and clusters are asked, and nothing is changed. */
final class BackendChecks {
    private static final String UNIX = "unix://";

    private final ServerConfig config;
    private final Map<String, String> environment;
    private final List<Problem> problems = new ArrayList<>();

    private BackendChecks(ServerConfig config, Map<String, String> environment) {
        this.config = config;
        this.environment = new HashMap<>(environment);
        this.environment.putAll(config.settings());
    }

    /** @param environment of the service, without what the configuration sets */
    static List<Problem> look(ServerConfig config, Map<String, String> environment) {
        BackendChecks checks = new BackendChecks(config, environment);
        checks.docker();
        // Without the block every backend is offered, and what is not there is told to the job that asks for it.
        if (!config.backends().equals(EnumSet.allOf(BackendKind.class))) {
            checks.cluster(BackendKind.KUBERNETES);
            checks.cluster(BackendKind.KUBEFLOW);
        }
        return checks.problems;
    }

    private void docker() {
        String host = config.settings().getOrDefault("DOCKER_HOST", "");
        if (!host.startsWith(UNIX)) {
            return;
        }
        Path socket = Path.of(host.substring(UNIX.length()));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.finishConnect();
        } catch (IOException unanswered) {
            String seen = Files.exists(socket)
                    ? "no dockerd answers at " + socket + ": " + unanswered.getMessage()
                    : "there is no socket " + socket;
            problems.add(Problem.of("backends.docker.host", seen, "start dockerd, or correct the path"));
        }
    }

    private void cluster(BackendKind kind) {
        if (!config.backends().contains(kind)) {
            return;
        }
        ClusterSettings settings = new ClusterSettings(new JobFolders(config.home()), environment, kind);
        if (!settings.isNamed()) {
            Problem absence = settings.absence(false);
            problems.add(new Problem("backends." + kind.text(), absence.message(), absence.suggestion()));
            return;
        }
        Optional<String> wrong = settings.problem();
        wrong.ifPresent(seen -> problems.add(Problem.of("backends." + kind.text(), seen)));
    }
}
