package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.spi.BackendException;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Questions and orders about the training operator's objects, each safe to repeat. */
record TrainingCluster(Cluster cluster) {
    static final String JOB_NAME = "training.kubeflow.org/job-name";

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            operation(TrainingKind kind) {
        return cluster.client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(TrainingKind.GROUP)
                        .withVersion(TrainingKind.VERSION)
                        .withKind(kind.kind())
                        .withPlural(kind.plural())
                        .withNamespaced(true)
                        .build());
    }

    /** All of ours of the kind. */
    FilterWatchListDeletable<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            objects(TrainingKind kind) {
        return operation(kind).inNamespace(cluster.namespace()).withLabels(cluster.ours());
    }

    private Resource<GenericKubernetesResource> named(TrainingKind kind, String name) {
        return operation(kind).inNamespace(cluster.namespace()).withName(name);
    }

    /** Refuses where the cluster does not know the kind. */
    void require(TrainingKind kind) throws BackendException {
        try {
            operation(kind)
                    .inNamespace(cluster.namespace())
                    .withLabels(cluster.ours())
                    .list();
        } catch (KubernetesClientException answer) {
            if (Failures.isMissing(answer)) {
                throw Failures.refused(
                        Cause.BACKEND_REFUSED,
                        "the cluster has no " + kind.kind()
                                + " (install Kubeflow's training operator, or write backend: kubernetes)");
            }
            throw Failures.of(kind.plural() + " were listed", answer);
        }
    }

    /** Makes the object, unless one of that name is there; gives what is there then. */
    GenericKubernetesResource create(TrainingKind kind, Map<String, Object> form) throws KubernetesClientException {
        GenericKubernetesResource object =
                cluster.client().getKubernetesSerialization().convertValue(form, GenericKubernetesResource.class);
        try {
            return operation(kind)
                    .inNamespace(cluster.namespace())
                    .resource(object)
                    .create();
        } catch (KubernetesClientException answer) {
            if (!Failures.isConflict(answer)) {
                throw answer;
            }
            return Optional.ofNullable(
                            named(kind, object.getMetadata().getName()).get())
                    .orElseThrow(() -> answer);
        }
    }

    /** The object of this name as it is now, of whichever kind; empty where there is none. */
    Optional<TrainingSeen> read(String name) throws BackendException {
        for (TrainingKind kind : TrainingKind.values()) {
            try {
                GenericKubernetesResource object = named(kind, name).get();
                if (object != null) {
                    return TrainingReader.read(kind, object);
                }
            } catch (KubernetesClientException answer) {
                if (!Failures.isMissing(answer)) {
                    throw Failures.of(kind.kind() + " " + name + " was asked for", answer);
                }
            }
        }
        return Optional.empty();
    }

    /** Deletes the object; its pods stay where {@code orphan} says so. */
    void delete(TrainingKind kind, String name, boolean orphan) throws BackendException {
        DeletionPropagation pods = orphan ? DeletionPropagation.ORPHAN : DeletionPropagation.BACKGROUND;
        try {
            named(kind, name).withPropagationPolicy(pods).delete();
        } catch (KubernetesClientException answer) {
            if (!Failures.isMissing(answer)) {
                throw Failures.of(kind.kind() + " " + name + " was deleted", answer);
            }
        }
    }

    /** Deletes the Services that the operator made for objects of these names, and those that Muster made for objects of the job. */
    void deleteServices(JobId job, Collection<String> names) throws BackendException {
        if (!names.isEmpty()) {
            deleteServices(JOB_NAME, names);
        }
        deleteServices(Labels.JOB, List.of(job.value()));
    }

    private void deleteServices(String label, Collection<String> values) throws BackendException {
        var services = cluster.client().services().inNamespace(cluster.namespace());
        try {
            for (Service service : services.withLabelIn(label, values.toArray(String[]::new))
                    .list()
                    .getItems()) {
                services.withName(service.getMetadata().getName()).delete();
            }
        } catch (KubernetesClientException answer) {
            throw Failures.of("the services of an operator's job were deleted", answer);
        }
    }

    /** All of ours of every kind that the cluster knows. */
    List<TrainingSeen> list() throws BackendException {
        List<TrainingSeen> found = new ArrayList<>();
        for (TrainingKind kind : TrainingKind.values()) {
            try {
                objects(kind)
                        .list()
                        .getItems()
                        .forEach(object -> TrainingReader.read(kind, object).ifPresent(found::add));
            } catch (KubernetesClientException answer) {
                if (!Failures.isMissing(answer)) {
                    throw Failures.of(kind.plural() + " were listed", answer);
                }
            }
        }
        return found;
    }

    /** The newest warning about the object; empty also where events may not be read. */
    Optional<String> warning(TrainingSeen object) {
        try {
            return cluster
                    .client()
                    .v1()
                    .events()
                    .inNamespace(cluster.namespace())
                    .withField("involvedObject.name", object.name())
                    .withField("type", "Warning")
                    .list()
                    .getItems()
                    .stream()
                    .max(Comparator.comparing(event ->
                            Optional.ofNullable(event.getLastTimestamp()).orElse("")))
                    .map(Event::getMessage);
        } catch (KubernetesClientException unreadable) {
            return Optional.empty();
        }
    }
}
