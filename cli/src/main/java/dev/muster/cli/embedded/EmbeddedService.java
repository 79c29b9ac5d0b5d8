package dev.muster.cli.embedded;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.cli.base.Notes;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Endpoint;
import dev.muster.cli.client.ServiceFinder;
import java.time.Duration;
import java.util.Optional;

/**
 * The service of MUSTER_HOME, started when there is none. The quick way costs two small files and a look at the process; all else
 * happens under the start lock, so that commands at the same time start one service. A service of another build is replaced when a
 * command begins; a command that is under way takes any, or two commands of two builds would replace each other's service for ever.
 */
public final class EmbeddedService implements ServiceFinder {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(60);

    private final Surroundings surroundings;
    private final Notes notes;
    private final HomeFiles files;

    public EmbeddedService(Surroundings surroundings, Notes notes) {
        this.surroundings = surroundings;
        this.notes = notes;
        this.files = new HomeFiles(surroundings.home());
    }

    @Override
    public Endpoint find() {
        Optional<ServiceFile> file = files.serviceFile();
        if (file.isPresent() && isOurBuild(file.get()) && HomeFiles.lives(file.get())) {
            Optional<Endpoint> endpoint = files.endpoint(file.get());
            if (endpoint.isPresent()) {
                return endpoint.get();
            }
        }
        return settle(false);
    }

    @Override
    public synchronized Endpoint findAgain(Endpoint failed, String why) {
        Optional<ServiceFile> file = files.serviceFile();
        if (file.isPresent() && !file.get().address().equals(failed.address()) && HomeFiles.lives(file.get())) {
            Optional<Endpoint> endpoint = files.endpoint(file.get());
            if (endpoint.isPresent()) {
                return endpoint.get();
            }
        }
        return settle(true);
    }

    private boolean isOurBuild(ServiceFile file) {
        return file.build().equals(surroundings.application().build());
    }

    private Endpoint settle(boolean anyBuild) {
        files.make();
        ServiceHome home = files.home();
        try (StartLock _ = StartLock.take(home.startLock(), LOCK_WAIT, notes)) {
            String build = surroundings.application().build();
            return new Settling(
                            files,
                            new ServiceLauncher(surroundings),
                            anyBuild ? Optional.empty() : Optional.of(build),
                            notes)
                    .settle();
        }
    }
}
