package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requirements, installed once into a volume keyed by the image and the file's content: a virtual environment above the image's own packages.
 * It is built by a container of the image; a volume without its mark is half-built, and is thrown away.
 */
final class Requirements {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int SHOWN = 600;
    private static final String BUILD = "set -e; \"$1\" -m venv --system-site-packages /muster/python\n"
            + "printf '%s' \"$MUSTER_REQUIREMENTS\" >/tmp/requirements.txt\n"
            + "/muster/python/bin/python3 -m pip install --no-input --disable-pip-version-check -r /tmp/requirements.txt\n"
            + "touch /muster/python/.whole";

    private final DockerApi api;

    Requirements(DockerApi api) {
        this.api = api;
    }

    /** The volume that has them installed, built first where there is none. */
    synchronized String have(
            String image, ImageFacts facts, String interpreter, String content, Consumer<String> progress)
            throws BackendException {
        String volume = "muster-python-"
                + digest(facts.id() + "\n" + interpreter + "\n" + content).substring(0, 24);
        try {
            if (isWhole(image, volume)) {
                return volume;
            }
            progress.accept("installing requirements into " + image);
            api.delete("/volumes/" + volume + "?force=1");
            ObjectNode wanted = DockerApi.object().put("Name", volume);
            wanted.putObject("Labels").put("dev.muster.python", facts.id());
            api.post("/volumes/create", wanted);
            build(image, volume, interpreter, content);
            return volume;
        } catch (Refusal refusal) {
            throw refusal.as(Kind.FAILED, Cause.LAUNCH_FAILED, "requirements could not be installed into " + image);
        }
    }

    private boolean isWhole(String image, String volume) throws BackendException, Refusal {
        if (api.find("/volumes/" + volume).isEmpty()) {
            return false;
        }
        try (Images.Probe probe = Images.Probe.of(api, image, List.of(mount(volume, true)))) {
            return probe.has("/muster/python/.whole");
        }
    }

    static ObjectNode mount(String volume, boolean readOnly) {
        return DockerApi.object()
                .put("Type", "volume")
                .put("Source", volume)
                .put("Target", Places.PYTHON)
                .put("ReadOnly", readOnly);
    }

    private void build(String image, String volume, String interpreter, String content)
            throws BackendException, Refusal {
        // The name is a fence: another service at this dockerd that builds the same is waited for by failing and trying
        // again.
        String name = volume + "-build";
        ObjectNode body =
                DockerApi.object().put("Image", image).put("Tty", true).put("User", "0");
        body.putArray("Entrypoint")
                .add("/bin/sh")
                .add("-c")
                .add(BUILD)
                .add("muster")
                .add(interpreter);
        body.putArray("Cmd");
        body.putArray("Env").add("MUSTER_REQUIREMENTS=" + content);
        ObjectNode host = body.putObject("HostConfig").put("Init", true);
        host.putArray("Mounts").add(mount(volume, false));
        removeEnded(name);
        String id = api.post("/containers/create?name=" + name, body).path("Id").asString();
        try {
            api.post("/containers/" + id + "/start", null);
            JsonNode end = api.post("/containers/" + id + "/wait", null, LONGEST, Requirements::json);
            int code = end.path("StatusCode").asInt(-1);
            if (code != 0) {
                throw new BackendException(
                        Kind.REFUSED,
                        Cause.LAUNCH_FAILED,
                        "requirements could not be installed into " + image + " (exit code " + code + "): " + said(id));
            }
        } finally {
            api.delete("/containers/" + id + "?force=1");
        }
    }

    private void removeEnded(String name) throws BackendException, Refusal {
        var left = api.find("/containers/" + name + "/json");
        if (left.isPresent() && !left.get().path("State").path("Running").asBoolean(false)) {
            api.delete("/containers/" + name + "?force=1");
        }
    }

    private String said(String id) throws BackendException, Refusal {
        String all = api.stream("/containers/" + id + "/logs?stdout=1&stderr=1&tail=20", DockerApi.QUICK, body -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            body.transferTo(bytes);
            return bytes.toString(StandardCharsets.UTF_8);
        });
        String line = all.replace("\r", "").strip();
        return line.length() <= SHOWN ? line : "…" + line.substring(line.length() - SHOWN);
    }

    private static JsonNode json(InputStream body) throws IOException {
        return DockerApi.parse(new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }

    static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
