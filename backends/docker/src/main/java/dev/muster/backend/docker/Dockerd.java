package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
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
    private final Path memory;
    private final AtomicLong lastRefresh = new AtomicLong(System.nanoTime() - FRESH.toNanos() - 1);
    private volatile Optional<Machine> known = Optional.empty();

    /** What jobs share of the machine that dockerd is on. */
    private record Machine(int cores, long memory) {}

    /** @param memory file that keeps what was told of the machine, in a folder that is there once there was a job */
    Dockerd(DockerApi api, Path memory) {
        this.api = api;
        this.memory = memory;
    }

    synchronized JsonNode info() throws BackendException {
        if (info.isEmpty() || System.nanoTime() - askedAt > FRESH.toNanos()) {
            try {
                info = Optional.of(api.get("/info"));
                askedAt = System.nanoTime();
                remember(info.get());
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

    /**
     * What its machine has, as it was last told; in an earlier life of the service too. Asked again behind the caller's back, who decides
     * about jobs of every backend and must not wait for a dockerd that is silent.
     *
     * @param ask whether dockerd is to be asked at all
     */
    Optional<Capacity> capacity(int gpus, boolean ask) {
        if (ask && isStale()) {
            Thread.ofVirtual().name("docker-info").start(this::refresh);
        }
        Optional<Machine> machine = known;
        return machine.or(this::remembered)
                .map(told -> new Capacity(
                        Math.max(LEAST_PROCESSES, PROCESSES_A_CORE * told.cores()),
                        told.cores() * 1000L,
                        (long) (told.memory() * SHARE_OF_MEMORY),
                        gpus));
    }

    private boolean isStale() {
        long now = System.nanoTime();
        long last = lastRefresh.get();
        return now - last > FRESH.toNanos() && lastRefresh.compareAndSet(last, now);
    }

    private void refresh() {
        try {
            info();
        } catch (BackendException unreached) {
            // What was known stays.
            return;
        }
    }

    private void remember(JsonNode told) {
        Machine machine =
                new Machine(told.path("NCPU").asInt(1), told.path("MemTotal").asLong(0));
        boolean isNews = !known.equals(Optional.of(machine));
        known = Optional.of(machine);
        try {
            if (Files.isDirectory(memory.getParent()) && (isNews || !Files.exists(memory))) {
                Files.writeString(memory, machine.cores() + " " + machine.memory() + "\n");
            }
        } catch (IOException forgotten) {
            // It is told again by the next answer.
            return;
        }
    }

    private Optional<Machine> remembered() {
        try {
            String[] words = Files.readString(memory).strip().split(" ");
            return Optional.of(new Machine(Integer.parseInt(words[0]), Long.parseLong(words[1])));
        } catch (IOException | RuntimeException unknown) {
            return Optional.empty();
        }
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
