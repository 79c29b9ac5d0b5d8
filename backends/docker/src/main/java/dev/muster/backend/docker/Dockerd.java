package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What dockerd tells of itself, asked again after a while, and the containers it has. Any thread may call. */
final class Dockerd {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final int LEAST_PROCESSES = 64;
    private static final int PROCESSES_A_CORE = 8;
    /** As for local processes: a tenth of the memory is left to the machine. */
    private static final double SHARE_OF_MEMORY = 0.9;

    private final DockerApi api;
    private Optional<JsonNode> info = Optional.empty();
    private long askedAt;

    Dockerd(DockerApi api) {
        this.api = api;
    }

    synchronized JsonNode info() throws BackendException {
        if (info.isEmpty() || System.nanoTime() - askedAt > FRESH.toNanos()) {
            try {
                info = Optional.of(api.get("/info"));
                askedAt = System.nanoTime();
            } catch (Refusal refusal) {
                throw refusal.as(Kind.NO_CONTACT, Cause.INTERNAL, "dockerd does not tell about itself");
            }
        }
        return info.get();
    }

    Set<String> runtimes() throws BackendException {
        Set<String> names = new TreeSet<>();
        info().path("Runtimes").propertyNames().forEach(names::add);
        return names;
    }

    Capacity capacity(int gpus) throws BackendException {
        JsonNode machine = info();
        int cores = machine.path("NCPU").asInt(1);
        return new Capacity(
                Math.max(LEAST_PROCESSES, PROCESSES_A_CORE * cores),
                cores * 1000L,
                (long) (machine.path("MemTotal").asLong(0) * SHARE_OF_MEMORY),
                gpus);
    }

    /** All containers with such labels, by attempt. */
    Map<ProcessKey, Found> containers(String... labels) throws BackendException {
        try {
            Map<ProcessKey, Found> found = new HashMap<>();
            for (JsonNode listed : api.get("/containers/json?all=1&" + DockerApi.filter(labels))) {
                Found.of(listed).ifPresent(each -> found.put(each.key(), each));
            }
            return found;
        } catch (Refusal refusal) {
            throw refusal.as(Kind.NO_CONTACT, Cause.INTERNAL, "containers cannot be listed");
        }
    }

    /** All about a container, by id or name. */
    Optional<JsonNode> inspect(String container) throws BackendException {
        try {
            return api.find("/containers/" + container + "/json");
        } catch (Refusal refusal) {
            throw refusal.as(Kind.NO_CONTACT, Cause.INTERNAL, "container " + container + " cannot be looked at");
        }
    }

    /** Labels of the networks of a home. */
    List<JsonNode> networks(String home) throws BackendException {
        try {
            List<JsonNode> labels = new ArrayList<>();
            api.get("/networks?" + DockerApi.filter(Names.is(Names.HOME, home)))
                    .forEach(network -> labels.add(network.path("Labels")));
            return labels;
        } catch (Refusal refusal) {
            throw refusal.as(Kind.NO_CONTACT, Cause.INTERNAL, "networks cannot be listed");
        }
    }
}
