package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.ProcessName;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The object of a group's attempt and what its pods read to start their programs; pure.
 *
 * @param kind     of the object
 * @param name     of the object
 * @param launches of all members
 */
record TrainingForm(TrainingKind kind, String name, Map<ProcessName, Launch> launches) {
    static TrainingForm of(Map<ProcessName, Launch> launches) {
        Launch any = launches.values().iterator().next();
        return new TrainingForm(
                TrainingKind.of(any.spec().framework()).orElseThrow(),
                TrainingPlaces.objectOf(any.placement()),
                new TreeMap<>(launches));
    }

    Launch any() {
        return launches.values().iterator().next();
    }

    Map<String, Object> object(PodForm pods) {
        TrainingPod template = new TrainingPod(pods);
        String members = launches.keySet().stream().map(ProcessName::toString).collect(Collectors.joining(","));
        Tree metadata = new Tree()
                .put("name", name)
                .put("labels", pods.labels(any()))
                .put(
                        "annotations",
                        new Tree()
                                .put(Labels.PROCESSES, members)
                                .put(
                                        Labels.ATTEMPT,
                                        Integer.toString(any().key().attempt())));
        return new TrainingJob(kind, any().spec())
                .of(metadata, Map.of(), replica -> template.of(kind, replica, name, launches.get(replica.process(0))))
                .fields();
    }

    /** A headless Service for each pod, as the operator makes it; none where it does. */
    List<Map<String, Object>> services() {
        List<Map<String, Object>> services = new ArrayList<>();
        if (!kind.hasServices()) {
            for (Replica replica : kind.replicas(any().spec())) {
                for (int index = 0; index < replica.count(); index++) {
                    services.add(service(replica, index));
                }
            }
        }
        return services;
    }

    private Map<String, Object> service(Replica replica, int index) {
        Tree pod = new Tree().put(TrainingCluster.JOB_NAME, name).put(OperatorPods.TYPE, replica.label());
        if (kind.isNumbered(replica)) {
            pod.put(OperatorPods.INDEX, Integer.toString(index));
        }
        Tree labels = new Tree()
                .put(TrainingCluster.JOB_NAME, name)
                .put(Labels.JOB, any().key().job().value());
        return Objects.headlessService(
                new Tree().put("name", kind.pod(name, replica, index)).put("labels", labels), pod.fields());
    }

    /** Launch texts by the names that pods read them by; a Secret holds them all, so they are refused where they are too many. */
    Map<String, String> texts(Map<ProcessName, Rendered> rendered) throws BackendException {
        Map<String, String> texts = new TreeMap<>();
        int bytes = 0;
        for (Replica replica : kind.replicas(any().spec())) {
            for (int index = 0; index < replica.count(); index++) {
                String text = LaunchText.of(rendered.get(replica.process(index)));
                texts.put(TrainingPod.start(replica, index), text);
                bytes += text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (bytes > Objects.LARGEST_LAUNCH) {
            throw Failures.refused(
                    Cause.LAUNCH_FAILED,
                    "commands and variables of all " + launches.size() + " members are " + bytes
                            + " bytes, more than the " + Objects.LARGEST_LAUNCH
                            + " a cluster keeps in one Secret (move them to a file of the code, or write backend: kubernetes)");
        }
        texts.put("start", TrainingPod.START);
        return texts;
    }
}
