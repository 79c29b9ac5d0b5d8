package dev.muster.backend.docker;

import dev.muster.model.ProcessKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A container of this home, as dockerd lists it.
 *
 * @param key    the attempt it stands for
 * @param name   its name
 * @param id     its id
 * @param state  created, running, paused, restarting, removing, exited or dead
 * @param labels its labels
 * @param networks the networks it is in
 */
record Found(ProcessKey key, String name, String id, String state, JsonNode labels, Set<String> networks) {
    Found {
        networks = Set.copyOf(networks);
    }

    static Optional<Found> of(JsonNode listed) {
        JsonNode labels = listed.path("Labels");
        return Names.key(labels)
                .map(key -> new Found(
                        key,
                        listed.path("Names").path(0).asString("").replaceFirst("^/", ""),
                        listed.path("Id").asString(),
                        listed.path("State").asString(),
                        labels,
                        Set.copyOf(
                                listed.path("NetworkSettings").path("Networks").propertyNames())));
    }

    /** The same as another attempt's, with these labels in place of its own. */
    Found as(ProcessKey other, Map<String, String> different) {
        ObjectNode changed = labels.deepCopy().asObject();
        different.forEach(changed::put);
        return new Found(other, name, id, state, changed, networks);
    }

    /** The attempt that it was made for, where it was held ready and has become another. */
    Optional<ProcessKey> heldAs() {
        return Names.key(labels).filter(made -> !made.equals(key));
    }

    /** Where its process writes what it says. */
    String log() {
        return heldAs().isPresent() ? Places.TAKEN_LOG : Places.LOG;
    }

    /** Made, and never started. */
    boolean isUnstarted() {
        return state.equals("created");
    }

    /** What is wrong around it though it runs, and what can be done. */
    Optional<String> trouble() {
        if (state.equals("paused")) {
            return Optional.of("its container is paused (docker unpause " + name + " lets it go on)");
        }
        String network = Names.network(key.job());
        return networks.contains(network)
                ? Optional.empty()
                : Optional.of("its container is not in the group's network " + network
                        + " any more, so its peers do not reach it (docker kill " + name
                        + " lets it begin anew in a network, where restart.max lets it)");
    }

    boolean isOver() {
        return state.equals("exited") || state.equals("dead") || state.equals("removing");
    }

    String label(String name) {
        return labels.path(name).asString("");
    }
}
