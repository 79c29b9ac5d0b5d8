package dev.muster.backend.kubernetes;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Launch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pod of one attempt, as the text that is sent to the API server; pure.
 *
 * @param config what all pods of this service have in common
 */
record PodForm(KubernetesConfig config) {
    private static final String SHARED = "muster";
    private static final String LAUNCH = "launch";
    private static final String CLAIM = "checkpoints";
    private static final String PYTHON = "python";

    Map<String, Object> of(Launch launch) {
        return of(launch, Names.pod(launch.key()));
    }

    /** @param secret name of the Secret that holds the launch */
    Map<String, Object> of(Launch launch, String secret) {
        Block block = Block.of(launch.spec());
        Tree pod = new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put(
                        "metadata",
                        new Tree()
                                .put("name", Names.pod(launch.key()))
                                .put("labels", labels(launch))
                                .put("annotations", annotations(launch))
                                .put("finalizers", List.of(Labels.FINALIZER)))
                .put("spec", spec(launch, block, secret));
        Tree.merge(pod.fields(), block.mapping("podPatch"));
        return pod.fields();
    }

    Tree labels(Launch launch) {
        Tree labels = new Tree()
                .put("app.kubernetes.io/managed-by", "muster")
                .put(Labels.INSTANCE, config.instance())
                .put(Labels.JOB, launch.key().job().value())
                .put(Labels.NAME, launch.spec().name());
        if (Places.isLed(launch.spec(), member(launch))) {
            labels.put(Labels.MEMBER, Names.host(member(launch)));
        }
        Kueue.label(launch, labels);
        return labels;
    }

    private Tree annotations(Launch launch) {
        Tree annotations = new Tree();
        Kueue.annotate(launch, annotations);
        identity(launch).forEach(annotations::put);
        if (Places.isLed(launch.spec(), member(launch))) {
            annotations.put(Labels.MEMBER, Names.host(member(launch)));
        }
        return annotations
                .put(
                        Labels.READY,
                        launch.spec().isStandby(launch.key().name().role()) ? Optional.of("true") : Optional.empty())
                .put(Labels.CODE, launch.codeDigest())
                .put(Labels.RESUME, launch.resumeFrom())
                .put(Labels.CLAIM, Block.of(launch.spec()).text("checkpointClaim"))
                .put(
                        Labels.DATA,
                        launch.spec().data().isEmpty()
                                ? Optional.empty()
                                : Optional.of(launch.spec().data().entrySet().stream()
                                        .sorted(Map.Entry.comparingByKey())
                                        .map(data ->
                                                data.getKey() + "=" + Renderer.source(launch.folder(), data.getValue()))
                                        .collect(Collectors.joining("\n"))));
    }

    /** The annotations that say which attempt a pod is: other ones than it was made with where it has become another. */
    static Map<String, String> identity(Launch launch) {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put(Labels.PROCESS, launch.key().name().toString());
        identity.put(Labels.ATTEMPT, Integer.toString(launch.key().attempt()));
        identity.put(Labels.ADDRESS, launch.placement().hosts().getOrDefault(member(launch), ""));
        identity.put(Labels.JOIN, join(launch));
        identity.put(Labels.MEMBERS, Integer.toString(members(launch)));
        if (launch.plan().chief()) {
            identity.put(Labels.CHIEF, "true");
        }
        return identity;
    }

    /** How many it starts together with: the others come after one that is essential to them, and who is held ready asks for nobody. */
    private static int members(Launch launch) {
        if (launch.spec().isStandby(launch.key().name().role())) {
            return 0;
        }
        long group = launch.placement().hosts().keySet().stream()
                .filter(member -> !launch.spec().isStandby(member.role()))
                .count();
        return launch.plan().essential() ? 1 : (int) group;
    }

    private static String join(Launch launch) {
        return switch (launch.plan().join()) {
            case Join.Started() -> "started 0000";
            case Join.Listens(String port) -> "listens " + hexadecimal(Renderer.port(launch, member(launch), port));
            case Join.Connected(Member to, String port) -> "connected " + hexadecimal(Renderer.port(launch, to, port));
        };
    }

    private static String hexadecimal(int port) {
        return String.format("%04X", port);
    }

    static Member member(Launch launch) {
        return launch.key().name().member();
    }

    private Tree spec(Launch launch, Block block, String secret) {
        boolean hostNetwork = launch.spec()
                .options()
                .network()
                .map(Options.Network::hostNetwork)
                .orElse(false);
        Tree spec = new Tree()
                .put("restartPolicy", "Never")
                .put("hostname", Names.host(member(launch)))
                .put("subdomain", Names.service(launch.key().job()))
                .put("enableServiceLinks", false)
                .put("terminationGracePeriodSeconds", config.collectWithin().toSeconds());
        BlockForm.scheduling(spec, block, hostNetwork);
        return spec.put("initContainers", List.of(sidecar(launch, block).fields()))
                .put("containers", List.of(program(launch, block, hostNetwork).fields()))
                .put("volumes", volumes(launch, block, secret));
    }

    /** Muster's own container: it begins before the program's and ends after it. */
    private Tree sidecar(Launch launch, Block block) {
        return new Tree()
                .put("name", Labels.SIDECAR)
                .put("image", config.sidecarImage())
                .put("restartPolicy", "Always")
                .put("command", List.of("sh", PodPaths.LAUNCH + "/stay"))
                .put("lifecycle", hook("postStart", List.of("sh", PodPaths.LAUNCH + "/setup")))
                .put(
                        "resources",
                        new Tree()
                                .put("requests", new Tree().put("cpu", "10m").put("memory", "32Mi"))
                                .put("limits", new Tree().put("memory", "256Mi")))
                .put("volumeMounts", mounts(launch.key().job().value(), block));
    }

    private static Tree hook(String name, List<String> command) {
        return new Tree().put(name, new Tree().put("exec", new Tree().put("command", command)));
    }

    private Tree program(Launch launch, Block block, boolean hostNetwork) {
        RoleSpec role = launch.role();
        Optional<Options.Rdma> rdma = launch.spec().options().network().flatMap(Options.Network::rdma);
        List<Object> mounts = mounts(launch.key().job().value(), block);
        mounts.add(new Tree().put("name", "shm").put("mountPath", "/dev/shm").fields());
        pythonClaim(role)
                .ifPresent(claim -> mounts.add(new Tree()
                        .put("name", PYTHON)
                        .put("mountPath", PodPaths.PYTHON)
                        .fields()));
        mounts.addAll(BlockForm.mounts(block));
        String grace = Long.toString(launch.spec().limits().grace().toSeconds());
        return new Tree()
                .put("name", Labels.MAIN)
                .put("image", role.environment().image().orElseThrow(() -> new IllegalArgumentException("no image")))
                .put("command", List.of("/muster/bin/busybox", "sh", "/muster/bin/run"))
                .put("lifecycle", hook("preStop", List.of("/muster/bin/ask", grace)))
                .put("ports", hostNetwork ? hostPorts(launch) : Optional.empty())
                .put("resources", BlockForm.resources(role.resources(), rdma, config.gpuResource()))
                .put("securityContext", BlockForm.security(rdma))
                .put("volumeMounts", mounts);
    }

    private static Optional<List<Map<String, Object>>> hostPorts(Launch launch) {
        List<Map<String, Object>> ports = new ArrayList<>();
        launch.placement()
                .ports()
                .getOrDefault(member(launch), Map.of())
                .forEach((name, number) -> ports.add(new Tree()
                        .put("containerPort", number)
                        .put("hostPort", number)
                        .fields()));
        return ports.isEmpty() ? Optional.empty() : Optional.of(ports);
    }

    private static List<Object> mounts(String job, Block block) {
        List<Object> mounts = new ArrayList<>();
        mounts.add(
                new Tree().put("name", SHARED).put("mountPath", PodPaths.ROOT).fields());
        mounts.add(new Tree()
                .put("name", LAUNCH)
                .put("mountPath", PodPaths.LAUNCH)
                .put("readOnly", true)
                .fields());
        block.text("checkpointClaim")
                .ifPresent(claim -> mounts.add(new Tree()
                        .put("name", CLAIM)
                        .put("mountPath", PodPaths.CHECKPOINTS)
                        .put("subPath", job)
                        .fields()));
        return mounts;
    }

    private Optional<String> pythonClaim(RoleSpec role) {
        boolean installs = role.environment()
                .python()
                .flatMap(EnvironmentSpec.Python::requirements)
                .isPresent();
        return config.pythonClaim().filter(claim -> installs);
    }

    private static Object claimed(String name, String claim) {
        return new Tree()
                .put("name", name)
                .put("persistentVolumeClaim", new Tree().put("claimName", claim))
                .fields();
    }

    /** Its volume for that has no size of its own. */
    static final String MORE_SHARED_MEMORY =
            "/dev/shm holds as much as resources.memory of the job allows, and what is in it counts against that";

    private List<Object> volumes(Launch launch, Block block, String secret) {
        List<Object> volumes = new ArrayList<>();
        volumes.add(new Tree().put("name", SHARED).put("emptyDir", Map.of()).fields());
        volumes.add(new Tree()
                .put("name", LAUNCH)
                .put("secret", new Tree().put("secretName", secret))
                .fields());
        // The 64 MiB a container has by itself are too few for loaders of data and for collectives.
        volumes.add(new Tree()
                .put("name", "shm")
                .put("emptyDir", new Tree().put("medium", "Memory"))
                .fields());
        block.text("checkpointClaim").ifPresent(claim -> volumes.add(claimed(CLAIM, claim)));
        pythonClaim(launch.role()).ifPresent(claim -> volumes.add(claimed(PYTHON, claim)));
        volumes.addAll(BlockForm.volumes(block));
        return volumes;
    }
}
