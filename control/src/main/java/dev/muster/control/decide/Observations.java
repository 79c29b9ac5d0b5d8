package dev.muster.control.decide;

import dev.muster.model.ProcessKey;
import dev.muster.spi.Sighting.Seen;
import dev.muster.spi.Telemetry.Signs;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known of a job besides its record, at one moment.
 *
 * @param contact     empty while the backend can be reached; else why it cannot be, and then sightings mean nothing
 * @param sightings   every attempt the backend knows; one without a sighting was never started
 * @param done        which effects have shown as done in this life of the service
 * @param preparation of the current attempt of the group
 * @param publication of the model
 * @param signs       what the processes say
 * @param watch       what was seen of their progress
 */
public record Observations(
        Optional<String> contact,
        Map<ProcessKey, Seen> sightings,
        Done done,
        Preparation preparation,
        Publication publication,
        Signs signs,
        Watch watch) {
    public static final Observations NOTHING = new Observations(
            Optional.empty(),
            Map.of(),
            Done.NOTHING,
            new Preparation.None(),
            new Publication.None(),
            Signs.NONE,
            Watch.NOTHING);

    public Observations {
        sightings = Collections.unmodifiableMap(
                new LinkedHashMap<>(sightings)); // in their order, so that a run can be repeated
    }
}
