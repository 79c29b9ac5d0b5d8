package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.Cause;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.ProcessKey;
import dev.muster.model.Resources;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a container of a process is made from: the body of dockerd's {@code /containers/create}. */
final class Containers {
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** Variables that shells change, keep to themselves or read. */
    private static final Set<String> OF_SHELLS = Set.of(
            ("PWD OLDPWD SHLVL _ IFS ENV CDPATH MAIL MAILCHECK MAILPATH OPTIND OPTARG OPTERR PPID UID EUID GROUPS LINENO RANDOM SRANDOM"
                            + " SECONDS EPOCHSECONDS EPOCHREALTIME HOSTTYPE MACHTYPE OSTYPE DIRSTACK FUNCNAME SHELLOPTS BASHOPTS"
                            + " POSIXLY_CORRECT PIPESTATUS REPLY TMOUT IGNOREEOF GLOBIGNORE CHILD_MAX PS1 PS2 PS3 PS4 COLUMNS LINES")
                    .split(" "));

    private final String home;
    private final String wrapper;

    /** @param home whose containers they are */
    Containers(String home) throws IOException {
        this.home = home;
        this.wrapper = script("wrapper.sh");
    }

    String home() {
        return home;
    }

    static String script(String name) throws IOException {
        try (InputStream in = Containers.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The kernel ends every argument and variable at its first byte 0. */
    static void checkCanBePassed(ProcessKey key, Rendered rendered) throws BackendException {
        if (rendered.argv().isEmpty()) {
            throw refused(key.name() + " has no program to run");
        }
        if (rendered.argv().stream().anyMatch(word -> word.indexOf(0) >= 0)) {
            throw refused("an argument of " + key.name() + " holds a byte 0, which no program can be given");
        }
        for (Map.Entry<String, String> variable : rendered.env().entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty()
                    || name.indexOf('=') >= 0
                    || name.indexOf(0) >= 0
                    || variable.getValue().indexOf(0) >= 0) {
                throw refused("env." + name + " of " + key.name()
                        + " cannot be passed: a name is not empty and without =, neither holds a byte 0");
            }
        }
    }

    private static BackendException refused(String message) {
        return new BackendException(Kind.REFUSED, Cause.LAUNCH_FAILED, message);
    }

    /**
     * The whole body.
     *
     * @param python volume that has the role's requirements
     * @param mounts what the delivery mounts; more is added
     */
    ObjectNode body(Launch launch, Rendered rendered, Optional<String> python, Delivery delivery, ArrayNode mounts)
            throws IOException {
        ProcessKey key = launch.key();
        ObjectNode body = DockerApi.object()
                .put("Image", DockerChecks.image(launch.role().environment()))
                .put("Hostname", Names.host(key.name()))
                .put("WorkingDir", "/");
        command(body, rendered);
        body.set("Labels", labels(launch, rendered, delivery));
        user(delivery, body);
        body.set("HostConfig", host(launch, python, mounts));
        body.putObject("NetworkingConfig")
                .putObject("EndpointsConfig")
                .putObject(Names.network(key.job()))
                .putArray("Aliases")
                .add(Names.host(key.name()));
        return body;
    }

    private void command(ObjectNode body, Rendered rendered) {
        ArrayNode entry = body.putArray("Entrypoint")
                .add("/bin/sh")
                .add("-c")
                .add(wrapper)
                .add("muster");
        ArrayNode env = body.putArray("Env");
        rendered.env().forEach((name, value) -> {
            if (!SHELL_NAME.matcher(name).matches() || OF_SHELLS.contains(name) || name.startsWith("BASH")) {
                entry.add(name + "=" + value);
            } else {
                env.add(name + "=" + value);
            }
        });
        rendered.argv().forEach(entry::add);
        // The image's own command must not follow.
        body.putArray("Cmd");
    }

    private ObjectNode labels(Launch launch, Rendered rendered, Delivery delivery) {
        ProcessKey key = launch.key();
        ObjectNode labels = Names.labels(home, key.job());
        labels.put(Names.PROCESS, key.name().toString());
        labels.put(Names.ATTEMPT, Integer.toString(key.attempt()));
        own(launch, rendered).forEach(labels::put);
        labels.put(Names.FILES, delivery.word());
        return labels;
    }

    /** The labels that tell of an attempt what others have to know who did not start it. */
    static Map<String, String> own(Launch launch, Rendered rendered) {
        return Map.of(
                Names.PROGRAM, rendered.argv().getFirst(), Names.JOIN, join(launch), Names.ADDRESS, address(launch));
    }

    private static String join(Launch launch) {
        return switch (launch.plan().join()) {
            case Join.Started() -> "started";
            case Join.Listens(String port) ->
                "listens " + port(launch, launch.key().name().member(), port);
            case Join.Connected(Member to, String port) -> "connected " + port(launch, to, port);
        };
    }

    private static int port(Launch launch, Member member, String port) {
        Integer number =
                launch.placement().ports().getOrDefault(member, Map.of()).get(port);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the plan waits for port " + port + " of " + member + ", which is not placed");
        }
        return number;
    }

    /** With its port where it has exactly one. */
    private static String address(Launch launch) {
        var ports = launch.placement()
                .ports()
                .getOrDefault(launch.key().name().member(), Map.of())
                .values();
        String host = Names.host(launch.key().name());
        return ports.size() == 1 ? host + ":" + ports.iterator().next() : host;
    }

    /** Files that a container writes into mounted folders must be the service's to move and to remove. */
    private static void user(Delivery delivery, ObjectNode body) throws IOException {
        if (delivery instanceof MountedFiles mounted) {
            Path home = mounted.folders().home();
            Object uid = Files.getAttribute(home, "unix:uid");
            Object gid = Files.getAttribute(home, "unix:gid");
            if (!uid.equals(0)) {
                body.put("User", uid + ":" + gid);
            }
        }
    }

    private ObjectNode host(Launch launch, Optional<String> python, ArrayNode mounts) {
        ObjectNode host = DockerApi.object()
                .put("Init", true)
                .put("NetworkMode", Names.network(launch.key().job()));
        Resources limits = launch.spec().resources(launch.key().name());
        limits.milliCpus().ifPresent(cpus -> host.put("NanoCpus", cpus * 1_000_000L));
        limits.memoryBytes().ifPresent(bytes -> host.put("Memory", bytes).put("MemorySwap", bytes));
        gpus(launch, host);
        python.ifPresent(volume -> mounts.add(Requirements.mount(volume, true)));
        Optional<Options.Docker> docker = launch.spec().options().docker();
        docker.ifPresent(block -> {
            block.shmSize().ifPresent(bytes -> host.put("ShmSize", bytes));
            block.runtime().ifPresent(name -> host.put("Runtime", name));
            block.mounts().forEach(mount -> {
                String[] parts = mount.split(":");
                MountedFiles.bind(mounts, Path.of(parts[0]), parts[1], parts.length == 3 && parts[2].equals("ro"));
            });
        });
        host.set("Mounts", mounts);
        return host;
    }

    private static void gpus(Launch launch, ObjectNode host) {
        String devices =
                launch.placement().gpus().getOrDefault(launch.key().name().member(), "");
        if (devices.isEmpty()) {
            return;
        }
        ObjectNode request = host.putArray("DeviceRequests").addObject().put("Driver", "nvidia");
        List<String> ids = new ArrayList<>(List.of(devices.split(",")));
        ids.forEach(request.putArray("DeviceIDs")::add);
        request.putArray("Capabilities").addArray().add("gpu");
    }

    /** What dockerd said about a container that could not be made or started, in the words of the port. */
    static BackendException failure(Launch launch, Refusal refusal) {
        String said = refusal.getMessage();
        String image = DockerChecks.image(launch.role().environment());
        if (refusal.isMissing() && said.contains("image")) {
            return refusal.as(Kind.FAILED, Cause.IMAGE_MISSING, "image " + image);
        }
        if (said.contains("/bin/sh") && (said.contains("no such file") || said.contains("not found"))) {
            return new BackendException(
                    Kind.REFUSED,
                    Cause.LAUNCH_FAILED,
                    "image " + image
                            + " has no /bin/sh, by which Muster starts programs; take an image that has a shell");
        }
        boolean again = refusal.status() >= 500;
        return refusal.as(
                again ? Kind.FAILED : Kind.REFUSED,
                Cause.LAUNCH_FAILED,
                "the container of " + launch.key().name() + " could not be started");
    }
}
