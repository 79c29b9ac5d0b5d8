package dev.muster.backend.docker;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Which attempt a container stands for: the one that it was made for, or, where it was held ready and has taken a place, the one whose name it
 * was given then. Labels of a container stay as they were made, so what is different is kept in the {@link Records}.
 */
record Identities(Dockerd dockerd, Records records) {
    /** The job's containers by what they stand for. */
    Map<ProcessKey, Found> of(String home, JobId job) throws BackendException, IOException {
        Map<ProcessKey, Found> containers = new HashMap<>();
        for (Found listed : dockerd.containers(Names.is(Names.HOME, home), Names.is(Names.JOB, job.value()))
                .values()) {
            Found is = of(listed);
            containers.put(is.key(), is);
        }
        return containers;
    }

    private Found of(Found listed) throws IOException {
        Optional<ProcessKey> named = Names.named(listed.key().job(), listed.name());
        if (named.isEmpty() || named.get().equals(listed.key())) {
            return listed;
        }
        return records.taken(named.get())
                .map(labels -> listed.as(named.get(), labels))
                .orElse(listed);
    }

    /** All about the container of an attempt. */
    Optional<JsonNode> inspect(ProcessKey key) throws BackendException, IOException {
        Optional<JsonNode> there = dockerd.inspect(Names.container(key));
        if (there.isPresent() && isOf(there.get(), key)) {
            return there;
        }
        // One that was held ready and is just being given another's name.
        for (Found listed : dockerd.containers(
                        Names.is(Names.JOB, key.job().value()),
                        Names.is(Names.PROCESS, key.name().toString()),
                        Names.is(Names.ATTEMPT, Integer.toString(key.attempt())))
                .values()) {
            if (of(listed).key().equals(key)) {
                return dockerd.inspect(listed.id());
            }
        }
        return Optional.empty();
    }

    private boolean isOf(JsonNode container, ProcessKey key) throws IOException {
        Optional<ProcessKey> made = Names.key(container.path("Config").path("Labels"));
        return made.equals(Optional.of(key))
                || made.filter(other -> other.job().equals(key.job())).isPresent()
                        && records.taken(key).isPresent();
    }
}
