package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Images: pulled where they are missing, a bounded number of times, and looked into. Any thread may call. */
final class Images {
    private static final int TRIES = 3;
    /** What is no better at the next try. */
    private static final List<String> FINAL =
            List.of("not found", "manifest unknown", "denied", "unauthorized", "invalid reference", "does not exist");

    private final DockerApi api;
    private final Duration pause;
    private final Map<String, ImageFacts> seen = new ConcurrentHashMap<>();

    Images(DockerApi api, Duration pause) {
        this.api = api;
        this.pause = pause;
    }

    /**
     * What the image is, pulled first where dockerd does not have it.
     *
     * @throws BackendException ImageMissing, naming it, when it cannot be had
     */
    ImageFacts have(String image, Consumer<String> progress) throws BackendException {
        Optional<JsonNode> there = find(image);
        for (int attempt = 1; there.isEmpty(); attempt++) {
            Optional<String> failure = pull(image, progress);
            there = find(image);
            if (there.isEmpty()) {
                String why = failure.orElse("it is not there after the pull");
                boolean hopeless = FINAL.stream().anyMatch(why::contains);
                if (attempt == TRIES || hopeless) {
                    throw new BackendException(
                            Kind.REFUSED,
                            Cause.IMAGE_MISSING,
                            "image " + image + " could not be pulled" + (hopeless ? "" : " in " + TRIES + " tries")
                                    + ": " + why
                                    + " (correct environment.image, or pull it on dockerd's machine: docker pull "
                                    + image + ")");
                }
                progress.accept("pulling image " + image + " failed and is tried again: " + why);
                sleep(pause.multipliedBy(1L << (attempt - 1)));
            }
        }
        return facts(image, there.get());
    }

    /** What is known of an image that dockerd has; empty where it has none. */
    Optional<ImageFacts> known(String image) throws BackendException {
        Optional<JsonNode> there = find(image);
        return there.isEmpty() ? Optional.empty() : Optional.of(facts(image, there.get()));
    }

    private Optional<JsonNode> find(String image) throws BackendException {
        try {
            return api.find(
                    "/images/" + DockerApi.encode(image).replace("%2F", "/").replace("%3A", ":") + "/json");
        } catch (Refusal refusal) {
            throw refusal.as(Kind.REFUSED, Cause.IMAGE_MISSING, "image " + image);
        }
    }

    /** Why it failed; empty when it did not. */
    private Optional<String> pull(String image, Consumer<String> progress) throws BackendException {
        progress.accept("pulling image " + image);
        Map<String, String> parameters = new TreeMap<>();
        int slash = image.lastIndexOf('/');
        int colon = image.lastIndexOf(':');
        if (image.contains("@")) {
            parameters.put("fromImage", image);
        } else {
            parameters.put("fromImage", colon > slash ? image.substring(0, colon) : image);
            parameters.put("tag", colon > slash ? image.substring(colon + 1) : "latest");
        }
        try {
            return api.post("/images/create" + DockerApi.query(parameters), null, DockerApi.ENDLESS, body -> {
                Layers layers = new Layers(image, progress);
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    JsonNode said = DockerApi.parse(line);
                    if (said.has("error")) {
                        return Optional.of(said.path("error").asString());
                    }
                    layers.add(said);
                }
                return Optional.<String>empty();
            });
        } catch (Refusal refusal) {
            return Optional.of(refusal.getMessage());
        }
    }

    /** Adds up what dockerd tells of each layer. */
    private static final class Layers {
        private final String image;
        private final Consumer<String> progress;
        private final Map<String, long[]> bytes = new TreeMap<>();
        private long told = -1;

        Layers(String image, Consumer<String> progress) {
            this.image = image;
            this.progress = progress;
        }

        void add(JsonNode said) {
            JsonNode detail = said.path("progressDetail");
            if (said.path("status").asString("").equals("Downloading") && detail.has("current")) {
                bytes.put(said.path("id").asString(""), new long[] {
                    detail.path("current").asLong(0), detail.path("total").asLong(0)
                });
                long done = bytes.values().stream().mapToLong(layer -> layer[0]).sum() >> 20;
                long all = bytes.values().stream().mapToLong(layer -> layer[1]).sum() >> 20;
                if (done / 16 != told / 16) {
                    told = done;
                    progress.accept("pulling image " + image + ": " + done + " of " + all + " MiB");
                }
            }
        }
    }

    private ImageFacts facts(String image, JsonNode there) throws BackendException {
        String id = there.path("Id").asString();
        ImageFacts known = seen.get(id);
        if (known == null) {
            known = ImageFacts.of(there, bash(image));
            seen.put(id, known);
        }
        return known;
    }

    private Optional<String> bash(String image) throws BackendException {
        try (Probe probe = Probe.of(api, image, List.of())) {
            for (String path : List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")) {
                if (probe.has(path)) {
                    return Optional.of(path);
                }
            }
            return Optional.empty();
        } catch (Refusal refusal) {
            throw refusal.as(Kind.FAILED, Cause.LAUNCH_FAILED, "image " + image + " could not be looked into");
        }
    }

    private static void sleep(Duration time) throws BackendException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException(
                    Kind.NO_CONTACT, Cause.INTERNAL, "interrupted while waiting for a pull", interrupted);
        }
    }

    /** A container that is made to be looked at and never started. */
    record Probe(DockerApi api, String id) implements AutoCloseable {
        static Probe of(DockerApi api, String image, List<ObjectNode> mounts) throws BackendException, Refusal {
            ObjectNode body = DockerApi.object().put("Image", image);
            body.putArray("Entrypoint").add("true");
            body.putObject("Labels").put("dev.muster.probe", "");
            ObjectNode host = body.putObject("HostConfig").put("NetworkMode", "none");
            mounts.forEach(host.putArray("Mounts")::add);
            JsonNode made = api.post(
                    "/containers/create",
                    body,
                    DockerApi.SLOW,
                    in -> DockerApi.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            return new Probe(api, made.path("Id").asString());
        }

        boolean has(String path) throws BackendException, Refusal {
            return api.head("/containers/" + id + "/archive?path=" + DockerApi.encode(path));
        }

        @Override
        public void close() {
            try {
                api.delete("/containers/" + id + "?force=1&v=1");
            } catch (BackendException | Refusal stays) {
                // It was never started and holds nothing; its label tells what it is.
                return;
            }
        }
    }
}
