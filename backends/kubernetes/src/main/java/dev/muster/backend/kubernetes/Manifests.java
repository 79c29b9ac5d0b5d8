package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Problem;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a job as the YAML that {@code kubectl apply -f} takes, for people who run it without Muster: no container, finalizer or delivery of Muster's is
 * in it. What the training operator sets itself is left to it. Pure: equal answers for equal arguments, no cluster is asked.
 *
 * @param gpuResource the resource that one GPU is called by
 */
public record Manifests(String gpuResource) {
    /** What of the job the kind cannot say, each with its field; empty when nothing is. */
    public List<Problem> check(ManifestKind kind, JobSpec spec) {
        return ManifestChecks.of(kind, spec);
    }

    /** The text, with comments at its head on what it does not carry. The job has passed {@link #check}. */
    public String yaml(ManifestKind kind, JobSpec spec, LaunchPlan plan) {
        ManifestPod pods = new ManifestPod(spec, plan, gpuResource);
        List<Map<String, Object>> objects = new ArrayList<>();
        if (kind.training().isPresent()) {
            TrainingKind training = kind.training().get();
            objects.add(new TrainingJob(training, spec)
                    .of(
                            new Tree().put("name", spec.name()).put("labels", Kueue.labels(spec)),
                            policy(spec),
                            replica -> pods.template(training, replica))
                    .fields());
        } else {
            objects.add(Objects.headlessService(new Tree().put("name", spec.name()), Map.of(Labels.NAME, spec.name())));
            plan.processes().forEach(process -> objects.add(pods.alone(process).fields()));
        }
        StringBuilder text = new StringBuilder();
        ManifestNotes.of(kind, spec, plan, pods.leftOut())
                .forEach(line -> text.append("# ").append(line).append('\n'));
        KubernetesSerialization yaml = new KubernetesSerialization();
        objects.forEach(each -> text.append(yaml.asYaml(each)));
        return text.toString();
    }

    private static Map<String, Object> policy(JobSpec spec) {
        Map<String, Object> policy = new LinkedHashMap<>();
        spec.limits().deadline().ifPresent(time -> policy.put("activeDeadlineSeconds", time.toSeconds()));
        if (spec.suspended()) {
            policy.put("suspend", true);
        }
        return policy;
    }
}
