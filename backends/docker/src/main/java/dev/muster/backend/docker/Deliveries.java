package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/** Which way files take: as the setting says, else mounted where dockerd sees this machine's files, which is tried once. */
final class Deliveries {
    private final DockerConfig config;
    private final DockerApi api;
    private final Installation installation;
    private final MountedFiles mounted;
    private final CopiedFiles copied;
    private Optional<Boolean> seesOurFiles = Optional.empty();

    Deliveries(DockerConfig config, DockerApi api, Installation installation) {
        this.config = config;
        this.api = api;
        this.installation = installation;
        this.mounted = new MountedFiles(config.folders(), config.code());
        this.copied = new CopiedFiles(config.folders(), config.code(), api, new Records(config.folders()));
    }

    /** The way a container that is there was made for. */
    Delivery of(Found container) {
        return container.label(Names.FILES).equals(MountedFiles.WORD) ? mounted : copied;
    }

    /** The way for a new container. */
    Delivery forImage(String image) throws BackendException, IOException {
        return switch (config.files()) {
            case MOUNTED -> mounted;
            case COPIED -> copied;
            case AUTO -> seesOurFiles(image) ? mounted : copied;
        };
    }

    /** A folder that is only here is mounted into a container that never runs: dockerd refuses what it does not see. */
    private synchronized boolean seesOurFiles(String image) throws BackendException, IOException {
        if (seesOurFiles.isEmpty()) {
            Path folder = config.folders().home().resolve("docker").resolve("seen-" + installation.name());
            Files.createDirectories(folder);
            ArrayNode mounts = DockerApi.object().putArray("mounts");
            MountedFiles.bind(mounts, folder, Places.ROOT, true);
            try (Images.Probe probe =
                    Images.Probe.of(api, image, List.of((tools.jackson.databind.node.ObjectNode) mounts.get(0)))) {
                seesOurFiles = Optional.of(!probe.id().isEmpty());
            } catch (Refusal refusal) {
                if (!refusal.getMessage().contains("source path does not exist")) {
                    throw refusal.as(
                            Kind.FAILED, Cause.LAUNCH_FAILED, "whether dockerd sees this machine's files is not known");
                }
                seesOurFiles = Optional.of(false);
            }
        }
        return seesOurFiles.get();
    }

    void collect(JobId job, Collection<Found> containers) throws IOException, BackendException, Refusal {
        List<Found> theirs = containers.stream()
                .filter(container -> of(container) == (Delivery) copied)
                .toList();
        copied.collect(job, theirs);
    }

    void remove(JobId job) throws IOException, BackendException, Refusal {
        copied.remove(job);
    }

    void forget(ProcessKey key) {
        copied.forget(key);
    }

    void close() {
        copied.close();
    }
}
