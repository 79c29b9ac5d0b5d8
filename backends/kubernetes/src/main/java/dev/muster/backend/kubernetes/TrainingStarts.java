package dev.muster.backend.kubernetes;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobId;
import dev.muster.model.Origin;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the object of a group's attempt once all its members are to be started; until then they wait here. A service that dies meanwhile has started
 * none of them, and the next one is told to start all again.
 */
final class TrainingStarts {
    private final KubernetesConfig config;
    private final TrainingCluster cluster;
    private final TrainingWatch watch;
    private final Objects secrets;
    private final PodForm pods;
    private final Map<JobId, Map<String, String>> requirements = new ConcurrentHashMap<>();
    private final Map<ProcessKey, Waiting> waiting = new HashMap<>();
    private final Set<ProcessKey> takenBack = ConcurrentHashMap.newKeySet();

    /** A member whose start is claimed. */
    private record Waiting(Launch launch, Rendered rendered) {}

    TrainingStarts(KubernetesConfig config, TrainingCluster cluster, TrainingWatch watch) {
        this.config = config;
        this.cluster = cluster;
        this.watch = watch;
        secrets = new Objects(config);
        pods = new PodForm(config);
    }

    /** Remembers the requirements files of a job, which its pods check before they start. */
    void prepare(JobId job, Origin origin) {
        requirements.put(job, origin.requirements());
    }

    /** Claims the start, and makes the object with the last of its members. */
    synchronized void start(Launch launch, Rendered rendered) throws BackendException {
        if (waiting.containsKey(launch.key()) || takenBack.contains(launch.key())) {
            return;
        }
        Deliverable.check(launch, config.code());
        Given.check(launch.key(), rendered);
        waiting.put(launch.key(), new Waiting(launch, rendered));
        Map<ProcessName, Launch> launches = new HashMap<>();
        Map<ProcessName, Rendered> texts = new HashMap<>();
        waiting.forEach((key, member) -> {
            if (key.job().equals(launch.key().job())
                    && key.attempt() == launch.key().attempt()) {
                launches.put(key.name(), member.launch());
                texts.put(key.name(), member.rendered());
            }
        });
        if (launches.size() == launch.placement().hosts().size()) {
            try {
                make(TrainingForm.of(launches), texts);
            } finally {
                launches.values().forEach(member -> waiting.remove(member.key()));
            }
        }
    }

    private void make(TrainingForm form, Map<ProcessName, Rendered> rendered) throws BackendException {
        JobId job = form.any().key().job();
        try {
            cluster.cluster()
                    .createSecret(secrets.secret(form.name(), job, form.texts(rendered), requirements(form.any())));
            for (Map<String, Object> service : form.services()) {
                cluster.cluster().createService(service);
            }
            TrainingReader.read(form.kind(), cluster.create(form.kind(), form.object(pods)))
                    .ifPresent(watch::known);
        } catch (KubernetesClientException answer) {
            throw Failures.of(form.kind().kind() + " " + form.name() + " could not be made", answer);
        }
    }

    private Optional<String> requirements(Launch launch) {
        Map<String, String> files = requirements.getOrDefault(launch.key().job(), Map.of());
        return launch.role()
                .environment()
                .python()
                .flatMap(EnvironmentSpec.Python::requirements)
                .map(files::get);
    }

    /** Ends an attempt whose object is not there yet, or that its object has no pod for. */
    synchronized void takeBack(ProcessKey key) {
        waiting.remove(key);
        takenBack.add(key);
    }

    /** Whether the attempt waits here, or was ended before it had a pod. */
    synchronized boolean knows(ProcessKey key) {
        return waiting.containsKey(key) || takenBack.contains(key);
    }

    /** Attempts of the job whose start is claimed and that have no object yet. */
    synchronized List<ProcessKey> waiting(JobId job) {
        return waiting.keySet().stream().filter(key -> key.job().equals(job)).toList();
    }

    /** Attempts of the job that were ended before they had a pod. */
    List<ProcessKey> takenBack(JobId job) {
        return takenBack.stream().filter(key -> key.job().equals(job)).toList();
    }

    synchronized void forget(JobId job) {
        requirements.remove(job);
        waiting.keySet().removeIf(key -> key.job().equals(job));
        takenBack.removeIf(key -> key.job().equals(job));
    }
}
