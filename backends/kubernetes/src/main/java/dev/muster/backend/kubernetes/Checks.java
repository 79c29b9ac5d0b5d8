package dev.muster.backend.kubernetes;

import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.RoleSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What pods cannot do, told before a job is accepted.
 *
 * @param config    what is allowed
 * @param namespace where jobs run
 * @param kind      the backend that asks
 */
record Checks(KubernetesConfig config, String namespace, BackendKind kind) {
    private static final List<String> REMOTE = List.of("s3://", "http://", "https://", "dataset:");

    List<Problem> of(JobSpec spec) {
        List<Problem> problems = new ArrayList<>();
        if (spec.backend() != kind) {
            problems.add(Problem.of(
                    "backend", "the job asks for backend " + spec.backend().text() + ", this is " + kind.text()));
        }
        spec.roles().forEach((name, role) -> image(spec, name, role, problems));
        spec.data().forEach((name, place) -> data(name, place, problems));
        if (spec.standby() > 0) {
            problems.add(Problem.of(
                    "standby",
                    kind == BackendKind.KUBEFLOW
                            ? "is not there for jobs of the training operator (kubeflow): it makes the pods of a group itself, and has no place for"
                                    + " one that is held ready"
                            : "is not yet on this backend (kubernetes): a pod keeps the name and the host name that it was made with, by which"
                                    + " its attempt and its member are known",
                    "remove standby, or write backend: local or docker"));
        }
        onePerPod(spec, problems);
        block(Block.of(spec), problems);
        problems.addAll(Kueue.check(spec, kind));
        return problems;
    }

    /** A worker of several ranks is a pod where one process of it starts them. */
    static void onePerPod(JobSpec spec, List<Problem> problems) {
        boolean startsThem = spec.options().torchrun() || spec.framework() == FrameworkKind.MPI;
        if (spec.processesPerWorker() > 1 && !startsThem) {
            String launcher = spec.framework() == FrameworkKind.PYTORCH
                    ? ", or start the ranks by pytorch: {launcher: torchrun}"
                    : "";
            problems.add(Problem.of(
                    "processesPerWorker",
                    "a pod runs one process, not " + spec.processesPerWorker(),
                    "ask for more workers" + launcher));
        }
    }

    private static void image(JobSpec spec, String name, RoleSpec role, List<Problem> problems) {
        boolean all = spec.roles().values().stream()
                .allMatch(each -> each.environment().image().isEmpty());
        String field = all ? "environment.image" : "roles." + name + ".environment.image";
        boolean told = problems.stream().anyMatch(problem -> problem.field().equals(field));
        if (role.environment().image().isEmpty() && !told) {
            problems.add(Problem.of(
                    field,
                    "a job in a cluster needs a container image",
                    "write environment: {image: REGISTRY/NAME:TAG}; the image holds Python and what the code imports"));
        }
    }

    private void data(String name, String place, List<Problem> problems) {
        String field = "data." + name;
        if (REMOTE.stream().anyMatch(place.toLowerCase(Locale.ROOT)::startsWith)) {
            problems.add(Problem.of(
                    field,
                    place + ": data from there is not yet on this backend (" + kind.text() + ")",
                    "fetch it to the service's machine and give its path, or mount it: kubernetes.volumes"));
        } else if (place.startsWith("/") && !Files.exists(Path.of(place))) {
            problems.add(Problem.of(
                    field,
                    "there is no " + place + " on the service's machine",
                    "put the data there or correct the path"));
        }
    }

    private void block(Block block, List<Problem> problems) {
        block.text("namespace")
                .filter(asked -> !asked.equals(namespace))
                .ifPresent(asked -> problems.add(Problem.of(
                        "kubernetes.namespace",
                        "this service runs jobs in namespace " + namespace + ", not in " + asked,
                        "leave it out")));
        int index = 0;
        for (Object each : block.list("volumes")) {
            volume("kubernetes.volumes[" + index++ + "]", each, problems);
        }
        for (String path : paths("", block.mapping("podPatch"))) {
            boolean allowed =
                    config.patchable().stream().anyMatch(start -> path.equals(start) || path.startsWith(start + "."));
            if (!allowed || path.contains(Labels.PREFIX)) {
                problems.add(Problem.of(
                        "kubernetes.podPatch",
                        path + " may not be set by a job",
                        "allowed are " + String.join(", ", new TreeSet<>(config.patchable()))
                                + "; an admin may allow more in the service's configuration"));
            }
        }
    }

    /** Whether it has what every volume of a job text has. */
    static boolean isVolume(Object given) {
        return given instanceof Map<?, ?> volume
                && volume.get("name") instanceof String
                && volume.get("mountPath") instanceof String;
    }

    static Problem noVolume(String field) {
        return Problem.of(
                field,
                "is a Kubernetes volume with name and mountPath",
                "write {name: cache, mountPath: /cache, persistentVolumeClaim: {claimName: cache}}");
    }

    private void volume(String field, Object given, List<Problem> problems) {
        if (!isVolume(given)) {
            problems.add(noVolume(field));
            return;
        }
        Map<?, ?> volume = (Map<?, ?>) given;
        String path = (String) volume.get("mountPath");
        if (!path.startsWith("/")
                || path.equals("/")
                || path.startsWith(PodPaths.ROOT)
                || path.startsWith(PodPaths.LAUNCH)) {
            problems.add(
                    Problem.of(field + ".mountPath", path + " is Muster's own or no absolute path", "choose another"));
        }
        if (Set.of("muster", "launch", "shm", "checkpoints", "python").contains(volume.get("name"))) {
            problems.add(Problem.of(
                    field + ".name", volume.get("name") + " is a volume of Muster's", "choose another name"));
        }
        if (volume.containsKey("hostPath") && !config.patchable().contains("spec.volumes.hostPath")) {
            problems.add(Problem.of(
                    field + ".hostPath",
                    "folders of nodes may not be mounted by a job",
                    "use a claim; an admin may allow spec.volumes.hostPath in the service's configuration"));
        }
    }

    /** The paths a patch sets: two levels, and below labels and annotations their names. */
    private static List<String> paths(String above, Map<?, ?> patch) {
        List<String> paths = new ArrayList<>();
        patch.forEach((key, value) -> {
            String path = above.isEmpty() ? String.valueOf(key) : above + "." + key;
            boolean goesOn = above.isEmpty()
                    || Set.of("metadata.labels", "metadata.annotations").contains(path);
            if (goesOn && value instanceof Map<?, ?> inside && !inside.isEmpty()) {
                paths.addAll(paths(path, inside));
            } else {
                paths.add(path);
            }
        });
        return paths;
    }
}
