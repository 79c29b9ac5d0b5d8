package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Evidence;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * What became of attempts, and how they are ended. An end is written down the first time it is seen and is told from there ever after; a
 * container that was made and is not there any more has vanished.
 */
final class Attempts {
    private static final Duration LONGEST_KILL = Duration.ofSeconds(10);

    private final DockerApi api;
    private final Dockerd dockerd;
    private final Identities identities;
    private final Records records;
    private final Deliveries deliveries;
    private final Watch watch;
    private final Look look;
    private final String ask;

    /** What does not change while a container runs, by its id. */
    private final Map<String, Began> began = new ConcurrentHashMap<>();

    private record Began(long pid, Instant at) {}

    Attempts(DockerApi api, Dockerd dockerd, Records records, Deliveries deliveries, Watch watch, Look look) {
        this.look = look;
        this.api = api;
        this.dockerd = dockerd;
        this.records = records;
        this.identities = new Identities(dockerd, records);
        this.deliveries = deliveries;
        this.watch = watch;
        try {
            this.ask = Containers.script("ask.sh");
        } catch (IOException unbuilt) {
            throw new java.io.UncheckedIOException(unbuilt);
        }
    }

    Map<ProcessKey, Found> containers(String home, JobId job) throws BackendException, IOException {
        return identities.of(home, job);
    }

    List<Sighting> observe(String home, JobId job) throws BackendException, IOException {
        Map<ProcessKey, Optional<Seen>> ends = new TreeMap<>(java.util.Comparator.comparing(ProcessKey::toString));
        for (ProcessKey key : records.claimed(job)) {
            ends.put(key, records.end(key));
        }
        List<Sighting> sightings = new ArrayList<>();
        // What is over stays as it was seen, whether dockerd answers or not.
        boolean allOver = !ends.isEmpty() && ends.values().stream().allMatch(Optional::isPresent);
        Map<ProcessKey, Found> found = allOver ? Map.of() : containers(home, job);
        found.keySet().forEach(key -> ends.putIfAbsent(key, Optional.empty()));
        for (Found container : found.values()) {
            Optional<ProcessKey> held = container.heldAs();
            if (held.isPresent()
                    && ends.getOrDefault(held.get(), Optional.empty()).isEmpty()) {
                ends.put(held.get(), Optional.of(taken(container, held.get())));
            }
        }
        for (Map.Entry<ProcessKey, Optional<Seen>> attempt : ends.entrySet()) {
            ProcessKey key = attempt.getKey();
            Optional<Seen> seen = attempt.getValue().isPresent()
                    ? attempt.getValue()
                    : look(key, Optional.ofNullable(found.get(key)));
            seen.ifPresent(state -> sightings.add(new Sighting(key, state)));
        }
        return sightings;
    }

    /** What was held ready has ended with the beginning of the attempt it became. */
    private Seen taken(Found container, ProcessKey held) throws BackendException, IOException {
        drain(container.as(held, Map.of()));
        Optional<Instant> startedAt =
                dockerd.inspect(container.id()).flatMap(inspected -> instant(inspected.path("State"), "StartedAt"));
        Seen.Ended end = new Seen.Ended(0, false, startedAt, records.claimedAt(container.key()), Optional.empty());
        records.ended(held, end);
        watch.isOver(held);
        return end;
    }

    private Optional<Seen> look(ProcessKey key, Optional<Found> found) throws BackendException, IOException {
        if (found.isEmpty()) {
            return Optional.of(vanished(key, Optional.empty()));
        }
        Found container = found.get();
        if (container.isUnstarted()) {
            return Optional.empty();
        }
        Began known = began.get(container.id());
        if (known == null || container.isOver() || watch.hasDied(key)) {
            Optional<JsonNode> inspected = dockerd.inspect(container.id());
            if (inspected.isEmpty()) {
                return Optional.of(vanished(key, Optional.ofNullable(known).map(Began::at)));
            }
            JsonNode state = inspected.get().path("State");
            if (!state.path("Running").asBoolean(false)) {
                return Optional.of(ended(container, state));
            }
            known = new Began(
                    state.path("Pid").asLong(0), instant(state, "StartedAt").orElse(Instant.EPOCH));
            began.put(container.id(), known);
        }
        deliveries.of(container).follow(container);
        boolean joined = watch.runs(container, known.pid());
        OptionalLong pid = known.pid() > 0 ? OptionalLong.of(known.pid()) : OptionalLong.empty();
        Instant at = container.heldAs().isPresent() ? records.claimedAt(key) : known.at();
        return Optional.of(new Seen.Running(pid, container.label(Names.ADDRESS), at, joined, container.trouble()));
    }

    private Seen ended(Found container, JsonNode state) throws BackendException, IOException {
        ProcessKey key = container.key();
        drain(container);
        int code = state.path("ExitCode").asInt(0);
        Optional<Instant> startedAt =
                container.heldAs().isPresent() ? Optional.of(records.claimedAt(key)) : instant(state, "StartedAt");
        Instant endedAt = instant(state, "FinishedAt").orElse(Instant.EPOCH);
        // A program that ends at once is seen to end before dockerd has written down that it began.
        startedAt = startedAt.map(at -> at.isAfter(endedAt) ? endedAt : at);
        Seen.Ended end = new Seen.Ended(
                code,
                code != 0 && state.path("OOMKilled").asBoolean(false),
                startedAt,
                endedAt,
                message(container, code, state.path("Error").asString("")));
        records.ended(key, end);
        forget(container);
        return end;
    }

    /** Fetches the rest of what it said, as long as it is there. */
    private void drain(Found container) throws BackendException, IOException {
        try {
            deliveries.of(container).drain(container);
        } catch (Refusal refusal) {
            if (!refusal.isMissing()) {
                throw refusal.as(
                        Kind.NO_CONTACT, Cause.INTERNAL, "the log of " + container.key() + " cannot be fetched");
            }
        }
    }

    private static Optional<String> message(Found container, int code, String error) {
        if (!error.isBlank()) {
            return Optional.of("dockerd says: " + error);
        }
        if (code != 126 && code != 127) {
            return Optional.empty();
        }
        return Optional.of("its program " + container.label(Names.PROGRAM) + ", or one that this runs, could not be "
                + (code == 127 ? "found" : "executed"));
    }

    private Seen vanished(ProcessKey key, Optional<Instant> startedAt) throws IOException {
        Seen.Vanished end = new Seen.Vanished(startedAt, "its container was removed by somebody else than Muster");
        records.vanished(key, end);
        watch.isOver(key);
        deliveries.forget(key);
        return end;
    }

    private void forget(Found container) {
        began.remove(container.id());
        watch.isOver(container.key());
    }

    /** dockerd's year 1 is never. */
    private static Optional<Instant> instant(JsonNode state, String name) {
        String text = state.path(name).asString("");
        if (text.isEmpty() || text.startsWith("0001-")) {
            return Optional.empty();
        }
        return Optional.of(java.time.OffsetDateTime.parse(text).toInstant());
    }

    /** SIGTERM, as the program below the wrapper takes it. */
    void ask(ProcessKey key) throws BackendException {
        Optional<String> running = running(key);
        if (running.isEmpty()) {
            return;
        }
        try {
            new Exec(api).output(running.get(), List.of("/bin/sh", "-c", ask));
        } catch (Refusal refusal) {
            if (!isOverNow(refusal)) {
                throw refusal.as(Kind.FAILED, Cause.INTERNAL, key.name() + " could not be asked to end");
            }
        }
    }

    /** What its processes do; nothing when it does not run. */
    Evidence evidence(ProcessKey key, Path folder) throws BackendException, IOException {
        Optional<String> running = running(key);
        if (running.isEmpty()) {
            return Evidence.NONE;
        }
        try {
            return look.of(running.get(), folder);
        } catch (Refusal refusal) {
            throw refusal.as(Kind.FAILED, Cause.INTERNAL, "it could not be seen why " + key.name() + " does not go on");
        }
    }

    /** SIGKILL to the container's first process, with which everything in it ends; returns when it has. */
    void kill(ProcessKey key) throws BackendException {
        Optional<String> running = running(key);
        if (running.isEmpty()) {
            return;
        }
        try {
            api.post("/containers/" + running.get() + "/kill?signal=KILL", null);
            api.post("/containers/" + running.get() + "/wait", null, LONGEST_KILL, in -> in.readAllBytes());
        } catch (Refusal refusal) {
            if (!isOverNow(refusal)) {
                throw refusal.as(Kind.FAILED, Cause.INTERNAL, key.name() + " could not be ended");
            }
        }
    }

    /** Not there any more, or not running. */
    private static boolean isOverNow(Refusal refusal) {
        return refusal.isMissing()
                || refusal.isConflict()
                || refusal.getMessage().contains("is not running");
    }

    /** The id of its container while it runs. */
    private Optional<String> running(ProcessKey key) throws BackendException {
        try {
            return identities
                    .inspect(key)
                    .filter(container -> container.path("State").path("Running").asBoolean(false))
                    .map(container -> container.path("Id").asString());
        } catch (IOException failed) {
            throw Failures.unreadable(key.job(), failed);
        }
    }

    /** Removes the job's containers, running or not. */
    void remove(String home, JobId job) throws BackendException, IOException, Refusal {
        for (Found container : containers(home, job).values()) {
            try {
                api.delete("/containers/" + container.id() + "?force=1&v=1");
            } catch (Refusal refusal) {
                if (!refusal.isMissing() && !refusal.isConflict()) {
                    throw refusal;
                }
            }
            forget(container);
            deliveries.forget(container.key());
        }
        watch.forget(job);
    }
}
