package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.HeldReady;
import dev.muster.spi.HeldReady.Written;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts an attempt in a container in which a process is held ready: {@code standby.py} of the frameworks tells what that waits for, {@code take.sh}
 * hands it the order. The container is given the attempt's name first, which is the fence as for every other start, then the member's name in the
 * network, then the order; that it is the attempt's is on record at last. A start that breaks off in between is gone on with by the next one.
 * Where nobody answers the container gets its own name back.
 */
final class HandOver {
    /** One that did not answer keeps nobody else waiting for so long. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Logger LOG = System.getLogger(HandOver.class.getName());

    /** What {@code take.sh} says of one that has become the attempt. */
    private static final Set<String> TAKEN = Set.of("taken", "claimed");

    private static final String PIPE = Places.CODE + "/" + HeldReady.PIPE;

    private final DockerApi api;
    private final JobFolders folders;
    private final Identities identities;
    private final Networks networks;
    private final Deliveries deliveries;
    private final String take;
    private final Map<String, Long> silentSince = new ConcurrentHashMap<>();

    HandOver(DockerApi api, JobFolders folders, Identities identities, Networks networks, Deliveries deliveries) {
        this.api = api;
        this.folders = folders;
        this.identities = identities;
        this.networks = networks;
        this.deliveries = deliveries;
        try {
            this.take = Containers.script("take.sh");
        } catch (IOException unbuilt) {
            throw new UncheckedIOException(unbuilt);
        }
    }

    /** The container whose place in the start of this attempt was not done with. */
    Optional<Found> begun(String home, Launch launch) throws BackendException, IOException {
        return held(home, launch).stream()
                .filter(container -> container.name().equals(Names.container(launch.key())))
                .findFirst();
    }

    /** One that is held ready now and suits the attempt. */
    Optional<Found> ready(String home, Launch launch, Rendered rendered) throws BackendException, IOException, Refusal {
        // A checkpoint of another job was brought when the container was made, and may not be the one that is asked for
        // now.
        boolean suits = lines(launch.key(), rendered).fits()
                && ResumePoint.of(folders, launch).stream().allMatch(ResumePoint::own);
        if (suits) {
            for (Found container : held(home, launch)) {
                if (isReady(container)) {
                    return Optional.of(container);
                }
            }
        }
        return Optional.empty();
    }

    /** Those that have not become another attempt. */
    private List<Found> held(String home, Launch launch) throws BackendException, IOException {
        if (!launch.spec().standbyServes(launch.key().name().role())) {
            return List.of();
        }
        return identities.of(home, launch.key().job()).values().stream()
                .filter(container ->
                        launch.spec().isStandby(container.key().name().role()))
                .toList();
    }

    private boolean isReady(Found container) throws BackendException, Refusal {
        Long silent = silentSince.get(container.id());
        return container.state().equals("running")
                && container.name().equals(Names.container(container.key()))
                && (silent == null || System.nanoTime() - silent > SILENCE.toNanos())
                && api.head("/containers/" + container.id() + "/archive?path=" + DockerApi.encode(PIPE));
    }

    /** Whether it has become the attempt; where not, everything is as before. */
    boolean start(Found container, Launch launch, Rendered rendered) throws BackendException, IOException {
        ProcessKey key = launch.key();
        try {
            if (!container.name().equals(Names.container(key))) {
                rename(container, Names.container(key));
            }
            if (!takes(container, key, rendered)) {
                silentSince.put(container.id(), System.nanoTime());
                giveBack(container, key);
                return false;
            }
        } catch (Refusal refusal) {
            throw refusal.as(
                    Kind.FAILED,
                    Cause.LAUNCH_FAILED,
                    key.name() + " could not be started in the container of "
                            + container.key().name());
        }
        deliveries.of(container).taken(container, key);
        Map<String, String> labels = Containers.own(launch, rendered);
        identities.records().took(key, labels);
        deliveries.of(container).follow(container.as(key, labels));
        return true;
    }

    /** One that ends just now, or cannot be given what the attempt needs, takes nothing. */
    private boolean takes(Found container, ProcessKey key, Rendered rendered) throws BackendException {
        if (!container.state().equals("running")) {
            return false;
        }
        HeldReady lines = lines(key, rendered);
        List<String> command = List.of("/bin/sh", "-c", take, "muster", PIPE, word(key), lines.claim(), lines.order());
        try {
            networks.lead(container, Names.host(key.name()));
            deliveries.of(container).offer(container, key);
            return TAKEN.contains(new Exec(api).output(container.id(), command).strip());
        } catch (Refusal | IOException unsuited) {
            LOG.log(Level.DEBUG, () -> key.name() + " is started in the usual way: " + unsuited.getMessage());
            return false;
        }
    }

    private void giveBack(Found container, ProcessKey key) throws BackendException, IOException, Refusal {
        deliveries.of(container).withdraw(container, key);
        boolean runs = api.find("/containers/" + container.id() + "/json")
                .filter(there -> there.path("State").path("Running").asBoolean(false))
                .isPresent();
        if (runs) {
            networks.lead(container, Names.host(container.key().name()));
        }
        rename(container, Names.container(container.key()));
    }

    private void rename(Found container, String name) throws BackendException, Refusal {
        api.post("/containers/" + container.id() + "/rename?name=" + name, null);
    }

    private static HeldReady lines(ProcessKey key, Rendered rendered) {
        List<Written> files = new ArrayList<>();
        rendered.files().forEach((name, text) -> files.add(new Written(Places.CODE + "/" + name, text)));
        files.add(new Written(Places.RUN + "/taken", word(key)));
        return HeldReady.of(
                new Written(Places.RUN + "/became", word(key) + "\n"), rendered, Places.TAKEN_LOG, Places.CODE, files);
    }

    private static String word(ProcessKey key) {
        return key.name() + "-a" + key.attempt();
    }
}
