package dev.muster.backend.docker;

import dev.muster.model.ProcessKey;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A container of this home, as dockerd lists it.
 *
 * @param key    the attempt it stands for
 * @param id     its id
 * @param state  created, running, paused, restarting, removing, exited or dead
 * @param labels its labels
 */
record Found(ProcessKey key, String id, String state, JsonNode labels) {
    static Optional<Found> of(JsonNode listed) {
        JsonNode labels = listed.path("Labels");
        return Names.key(labels)
                .map(key -> new Found(
                        key, listed.path("Id").asString(), listed.path("State").asString(), labels));
    }

    /** Made, and never started. */
    boolean isUnstarted() {
        return state.equals("created");
    }

    boolean isOver() {
        return state.equals("exited") || state.equals("dead") || state.equals("removing");
    }

    String label(String name) {
        return labels.path(name).asString("");
    }
}
