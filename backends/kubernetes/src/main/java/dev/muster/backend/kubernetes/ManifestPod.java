package dev.muster.backend.kubernetes;

import dev.muster.model.Command;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Options;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RoleSpec;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Pods as people apply them: the program in its image, with the folders that its variables name. Notes which variables could not be said. */
final class ManifestPod {
    private static final String FOLDERS = "muster";
    private static final String CLAIM = "checkpoints";

    private final JobSpec spec;
    private final LaunchPlan plan;
    private final String gpuResource;
    private final ManifestParts parts;
    private final Block block;
    private final Set<String> leftOut = new TreeSet<>();

    ManifestPod(JobSpec spec, LaunchPlan plan, String gpuResource) {
        this.spec = spec;
        this.plan = plan;
        this.gpuResource = gpuResource;
        parts = ManifestParts.of(spec, plan);
        block = Block.of(spec);
    }

    /** Variables that differ from pod to pod of one template, after the pods were written. */
    Set<String> leftOut() {
        return leftOut;
    }

    /** The template of a replica's pods. */
    Tree template(TrainingKind kind, Replica replica) {
        List<ProcessPlan> processes = replica.processes().stream()
                .map(name -> plan.process(name).orElseThrow())
                .toList();
        ManifestEnv env = new ManifestEnv(parts.withoutAddresses(), spec, kind.variables());
        // Workers of an MPIJob wait for what the launcher starts in them.
        boolean waits = kind == TrainingKind.MPIJOB && kind.isNumbered(replica);
        Tree container = container(
                spec.role(replica.role()),
                kind.container(),
                waits ? Optional.empty() : Optional.of(command(processes.getFirst())),
                env.shared(processes, replica.first() == 0, leftOut));
        Tree pod = podSpec(container);
        if (kind == TrainingKind.MPIJOB) {
            // Its launcher reaches its workers through the API server, with an account of the operator's.
            pod.fields().remove("automountServiceAccountToken");
        }
        Tree template = new Tree();
        if (block.mapping("podPatch").containsKey("metadata")) {
            template.put("metadata", new LinkedHashMap<>());
        }
        return patched(template.put("spec", pod));
    }

    /** A pod that needs no operator. */
    Tree alone(ProcessPlan process) {
        ManifestEnv env = new ManifestEnv(parts, spec, Set.of());
        Tree container = container(
                spec.role(process.name().role()),
                Labels.MAIN,
                Optional.of(command(process)),
                env.shared(List.of(process), false, leftOut));
        Tree pod = new Tree()
                .put("restartPolicy", "Never")
                .put("hostname", Names.host(process.name().member()))
                .put("subdomain", spec.name())
                .put("activeDeadlineSeconds", spec.limits().deadline().map(time -> time.toSeconds()));
        podSpec(container).fields().forEach(pod::put);
        Tree metadata = new Tree().put("name", Names.label(spec.name() + "-" + process.name(), ""));
        Tree labels = new Tree().put(Labels.NAME, spec.name());
        Kueue.label(spec, spec.name(), labels);
        metadata.put("labels", labels);
        Tree annotations = new Tree();
        Kueue.annotate(spec, plan.processes().size(), annotations);
        if (!annotations.fields().isEmpty()) {
            metadata.put("annotations", annotations);
        }
        return patched(new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata)
                .put("spec", pod));
    }

    private Tree patched(Tree pod) {
        Tree.merge(pod.fields(), block.mapping("podPatch"));
        return pod;
    }

    private Tree podSpec(Tree container) {
        Tree pod = new Tree().put("enableServiceLinks", false);
        boolean hostNetwork =
                spec.options().network().map(Options.Network::hostNetwork).orElse(false);
        BlockForm.scheduling(pod, block, hostNetwork);
        pod.put("terminationGracePeriodSeconds", spec.limits().grace().toSeconds());
        return pod.put("containers", List.of(container.fields())).put("volumes", volumes());
    }

    private Tree container(RoleSpec role, String name, Optional<List<String>> command, List<Map<String, Object>> env) {
        Optional<Options.Rdma> rdma = spec.options().network().flatMap(Options.Network::rdma);
        return new Tree()
                .put("name", name)
                .put("image", role.environment().image().orElseThrow())
                .put("command", command)
                .put("env", env)
                .put("resources", BlockForm.resources(role.resources(), rdma, gpuResource))
                .put("securityContext", BlockForm.security(rdma))
                .put("volumeMounts", mounts());
    }

    private List<String> command(ProcessPlan process) {
        Command command = spec.role(process.name().role()).command();
        if (command instanceof Command.Shell(String script)) {
            return List.of("sh", "-c", script);
        }
        List<String> argv = new ArrayList<>();
        for (Template word : process.argv()) {
            parts.text(word).ifPresent(argv::add);
        }
        return argv;
    }

    private List<Map<String, Object>> mounts() {
        List<Map<String, Object>> mounts = new ArrayList<>();
        Set<Object> own = new TreeSet<>();
        List<Map<String, Object>> users = BlockForm.mounts(block);
        users.forEach(mount -> own.add(mount.get("mountPath")));
        mounts.add(mount(FOLDERS, PodPaths.ROOT, Optional.empty()));
        mounts.add(mount(FOLDERS, PodPaths.MODEL, Optional.of("model")));
        mounts.add(mount(FOLDERS, PodPaths.CONTROL, Optional.of("control")));
        mounts.add(
                block.text("checkpointClaim").isPresent()
                        ? mount(CLAIM, PodPaths.CHECKPOINTS, Optional.of(spec.name()))
                        : mount(FOLDERS, PodPaths.CHECKPOINTS, Optional.of("checkpoints")));
        mounts.removeIf(mount -> own.contains(mount.get("mountPath")));
        if (!own.contains("/dev/shm")) {
            mounts.add(mount("shm", "/dev/shm", Optional.empty()));
        }
        mounts.addAll(users);
        return mounts;
    }

    private static Map<String, Object> mount(String volume, String path, Optional<String> subPath) {
        return new Tree()
                .put("name", volume)
                .put("mountPath", path)
                .put("subPath", subPath)
                .fields();
    }

    private List<Map<String, Object>> volumes() {
        List<Map<String, Object>> volumes = new ArrayList<>();
        volumes.add(new Tree().put("name", FOLDERS).put("emptyDir", Map.of()).fields());
        volumes.add(new Tree()
                .put("name", "shm")
                .put("emptyDir", new Tree().put("medium", "Memory"))
                .fields());
        block.text("checkpointClaim")
                .ifPresent(claim -> volumes.add(new Tree()
                        .put("name", CLAIM)
                        .put("persistentVolumeClaim", new Tree().put("claimName", claim))
                        .fields()));
        volumes.addAll(BlockForm.volumes(block));
        return volumes;
    }
}
