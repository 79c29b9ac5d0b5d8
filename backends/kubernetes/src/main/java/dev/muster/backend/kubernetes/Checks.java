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
        new BlockChecks(config, namespace).check(Block.of(spec), problems);
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
}
