package dev.muster.backend.kubernetes;

import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.RoleSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
            standby(spec, problems);
        }
        onePerPod(spec, problems);
        new BlockChecks(config, namespace).check(Block.of(spec), problems);
        problems.addAll(Kueue.check(spec, kind));
        return problems;
    }

    /** A pod is given all it has when it is made. */
    private void standby(JobSpec spec, List<Problem> problems) {
        Optional<Options.Network> network = spec.options().network();
        boolean gpus = spec.roles().entrySet().stream()
                .anyMatch(role -> spec.standbyServes(role.getKey())
                        && role.getValue().resources().gpus() > 0);
        if (kind == BackendKind.KUBEFLOW) {
            problems.add(Problem.of(
                    "standby",
                    "is not there for jobs of the training operator (kubeflow): it makes the pods of a group itself, and has no place for"
                            + " one that is held ready",
                    "remove standby, or write backend: kubernetes, local or docker"));
        } else if (gpus || network.flatMap(Options.Network::rdma).isPresent()) {
            problems.add(Problem.of(
                    "standby",
                    "is not there for processes with " + (gpus ? "GPUs" : "RDMA devices")
                            + " on this backend (kubernetes): a pod is given its devices when it is made, so one that is held ready cannot"
                            + " be given the lost one's, and would keep as many idle",
                    "remove standby"));
        } else if (network.map(Options.Network::hostNetwork).orElse(false)) {
            problems.add(Problem.of(
                    "standby",
                    "does not go with network.hostNetwork: the scheduler keeps pods apart by the ports that they were made with, and one that"
                            + " is held ready takes another's",
                    "remove standby, or hostNetwork"));
        } else if (Kueue.queue(spec).isPresent()) {
            problems.add(Problem.of(
                    "standby",
                    "does not go with kubernetes.kueueQueue: Kueue lets a group in once all its pods are there, and who is held ready comes"
                            + " later and belongs to none",
                    "remove standby, or kueueQueue"));
        }
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
