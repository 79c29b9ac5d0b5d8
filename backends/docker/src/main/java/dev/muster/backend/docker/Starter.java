package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts one attempt, in a container in which a process is held ready for it where there is one. Else its container is made under its name, gets its files, is written down and is started. One that was made and never
 * started is thrown away and made anew; one that was started is left as it is, whatever became of it.
 */
record Starter(
        DockerApi api,
        Dockerd dockerd,
        Records records,
        Containers containers,
        Deliveries deliveries,
        HandOver handOver) {
    void start(Launch launch, Rendered rendered, Optional<String> python) throws BackendException, IOException {
        ProcessKey key = launch.key();
        Containers.checkCanBePassed(key, rendered);
        try {
            Optional<Found> begun =
                    records.isClaimed(key) ? Optional.empty() : handOver.begun(containers.home(), launch);
            if (begun.isPresent() ? handOver.start(begun.get(), launch, rendered) : wasStarted(launch)) {
                return;
            }
            Optional<Found> ready = handOver.ready(containers.home(), launch, rendered);
            if (ready.isEmpty() || !handOver.start(ready.get(), launch, rendered)) {
                make(launch, rendered, python);
            }
        } catch (Refusal refusal) {
            throw Containers.failure(launch, refusal);
        }
    }

    private boolean wasStarted(Launch launch) throws BackendException, IOException {
        ProcessKey key = launch.key();
        if (records.taken(key).isPresent()) {
            return true;
        }
        Optional<JsonNode> there = dockerd.inspect(Names.container(key));
        if (there.isEmpty()) {
            return records.isClaimed(key);
        }
        if (!Names.key(there.get().path("Config").path("Labels")).equals(Optional.of(key))) {
            throw new BackendException(
                    Kind.REFUSED,
                    Cause.LAUNCH_FAILED,
                    "a container that is not Muster's is called " + Names.container(key)
                            + "; rename it: docker rename");
        }
        if (!there.get().path("State").path("Status").asString().equals("created")) {
            records.claim(key);
            return true;
        }
        discard(key);
        return false;
    }

    private void make(Launch launch, Rendered rendered, Optional<String> python)
            throws BackendException, IOException, Refusal {
        ProcessKey key = launch.key();
        Delivery delivery = deliveries.forImage(DockerChecks.image(launch.role().environment()));
        ArrayNode mounts = DockerApi.object().putArray("mounts");
        delivery.prepare(launch, rendered, mounts);
        ObjectNode body = containers.body(launch, rendered, python, delivery, mounts);
        String path = "/containers/create?name=" + Names.container(key);
        String id = api.post(path, body, DockerApi.SLOW, in -> DockerApi.parse(new String(in.readAllBytes())))
                .path("Id")
                .asString();
        boolean started = false;
        try {
            delivery.deliver(launch, rendered, id);
            records.claim(key);
            api.post("/containers/" + id + "/start", null, DockerApi.SLOW, in -> in.readAllBytes());
            started = true;
            delivery.follow(new Found(
                    key, Names.container(key), id, "running", body.path("Labels"), Set.of(Names.network(key.job()))));
        } catch (BackendException lost) {
            // Whether it was started is seen at the next look.
            started = lost.kind() == Kind.NO_CONTACT;
            throw lost;
        } finally {
            if (!started) {
                discard(key);
            }
        }
    }

    /** The container was never started, and is as good as not made. */
    private void discard(ProcessKey key) throws BackendException, IOException {
        try {
            api.delete("/containers/" + Names.container(key) + "?force=1&v=1");
        } catch (Refusal refusal) {
            if (!refusal.isMissing()) {
                throw refusal.as(
                        Kind.FAILED, Cause.INTERNAL, "container " + Names.container(key) + " could not be removed");
            }
        }
        records.unclaim(key);
    }
}
