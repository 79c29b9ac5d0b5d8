package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.spi.BackendException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The few questions and orders Muster has for an API server, each safe to repeat. The only class besides {@link Exec}, {@link PodWatch} and
 * {@link NodeWatch} that talks to one.
 */
final class Cluster implements AutoCloseable {
    private static final int REQUEST_MILLIS = 10_000;
    private static final int PULSE_MILLIS = 3_000;

    /** A name the API server does not know is refused, not left out. */
    private static final FieldValidateable.Validation STRICT = FieldValidateable.Validation.STRICT;

    private final KubernetesClient client;
    private final KubernetesClient pulse;

    /**
     * For commands in pods, of which there may be hundreds at once: by connections of their own, as an API server takes a hundred requests at a time on
     * one, and what makes pods must not wait for them.
     */
    private final KubernetesClient carriers;

    private final String namespace;
    private final String address;
    private final Map<String, String> ours;

    Cluster(KubernetesConfig config) {
        this(found(config.kubeconfig()), config);
    }

    private Cluster(Config found, KubernetesConfig config) {
        this(found, namespace(found, config.namespace()), config.instance());
    }

    Cluster(Config found, String namespace, String instance) {
        client = client(found, REQUEST_MILLIS, false);
        pulse = client(found, PULSE_MILLIS, false);
        carriers = client(found, REQUEST_MILLIS, true);
        this.namespace = namespace;
        address = address(found);
        ours = Map.of(Labels.INSTANCE, instance);
    }

    /** @throws KubeconfigException where the file is no kubeconfig */
    static Config found(Optional<Path> kubeconfig) {
        return kubeconfig.map(Cluster::read).orElseGet(() -> Config.autoConfigure(null));
    }

    private static Config read(Path kubeconfig) {
        try {
            return Config.fromKubeconfig(kubeconfig.toFile());
        } catch (RuntimeException unreadable) {
            throw new KubeconfigException(kubeconfig, unreadable);
        }
    }

    private static String address(Config found) {
        String url = found.getMasterUrl();
        return url.matches("https?:/*") ? "no address (the kubeconfig names no server)" : url;
    }

    static String namespace(Config found, Optional<String> named) {
        return named.or(() -> Optional.ofNullable(found.getNamespace())).orElse("default");
    }

    private static KubernetesClient client(Config found, int millis, boolean oneConnectionEach) {
        return new KubernetesClientBuilder()
                .withHttpClientFactory(new QueueingHttp())
                .withConfig(new ConfigBuilder(found)
                        .withRequestTimeout(millis)
                        .withConnectionTimeout(millis)
                        .withRequestRetryBackoffLimit(0)
                        .withHttp2Disable(oneConnectionEach)
                        .build())
                .build();
    }

    /** Returns when the server answers. */
    void ping() throws BackendException {
        ask("the cluster at " + address + " was asked for a sign of life", pulse::getKubernetesVersion);
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient client() {
        return client;
    }

    Map<String, String> ours() {
        return ours;
    }

    /** Runs a request; what the server or the network answers becomes a {@link BackendException}. */
    private <T> T ask(String what, Supplier<T> request) throws BackendException {
        try {
            return request.get();
        } catch (KubernetesClientException answer) {
            throw Failures.of(what, answer);
        }
    }

    /** Makes the pod; the one there is when one of that name is there already. Empty where it is gone again. */
    Optional<PodSeen> createPod(Map<String, Object> form) throws KubernetesClientException {
        PodResource resource = client.pods().inNamespace(namespace).resource(convert(form, Pod.class));
        try {
            return PodReader.read(resource.fieldValidation(STRICT).create());
        } catch (KubernetesClientException answer) {
            if (Failures.isConflict(answer)) {
                return Optional.ofNullable(resource.get()).flatMap(PodReader::read);
            }
            throw answer;
        }
    }

    /** What the API server would make of the pod, or why it would refuse it. Nothing is made. */
    String dryRun(Map<String, Object> form) throws KubernetesClientException {
        return client.getKubernetesSerialization()
                .asJson(client.pods()
                        .inNamespace(namespace)
                        .resource(convert(form, Pod.class))
                        .dryRun()
                        .fieldValidation(STRICT)
                        .create());
    }

    boolean createSecret(Map<String, Object> form) throws KubernetesClientException {
        return create(client.secrets().inNamespace(namespace).resource(convert(form, Secret.class)));
    }

    boolean createService(Map<String, Object> form) throws KubernetesClientException {
        return create(client.services().inNamespace(namespace).resource(convert(form, Service.class)));
    }

    private <T extends HasMetadata> T convert(Map<String, Object> form, Class<T> type) {
        return client.getKubernetesSerialization().convertValue(form, type);
    }

    private static <T> boolean create(Resource<T> resource) {
        try {
            resource.create();
            return true;
        } catch (KubernetesClientException answer) {
            if (Failures.isConflict(answer)) {
                return false;
            }
            throw answer;
        }
    }

    Optional<PodSeen> pod(String name) throws BackendException {
        return ask(
                "pod " + name + " was asked for",
                () -> Optional.ofNullable(client.pods()
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                        .flatMap(PodReader::read));
    }

    List<PodSeen> pods(Map<String, String> labels) throws BackendException {
        Map<String, String> selector = new HashMap<>(ours);
        selector.putAll(labels);
        return ask(
                "pods were listed",
                () -> client.pods().inNamespace(namespace).withLabels(selector).list().getItems().stream()
                        .flatMap(pod -> PodReader.read(pod).stream())
                        .toList());
    }

    /** Annotations of pods that are some service's, by their names, and have lost the labels by which they are found. */
    Map<String, Map<String, String>> unmarked() throws BackendException {
        return ask("pods were listed in namespace " + namespace, () -> {
            Map<String, Map<String, String>> found = new HashMap<>();
            client.pods().inNamespace(namespace).list().getItems().stream()
                    .map(Pod::getMetadata)
                    .filter(meta -> meta.getFinalizers().contains(Labels.FINALIZER))
                    .filter(meta -> !meta.getLabels().keySet().containsAll(Set.of(Labels.INSTANCE, Labels.JOB)))
                    .forEach(meta -> found.put(meta.getName(), meta.getAnnotations()));
            return found;
        });
    }

    /** Returns when pods may be listed. */
    void requirePods() throws BackendException {
        ListOptions one = new ListOptionsBuilder().withLimit(1L).build();
        ask(
                "pods were listed in namespace " + namespace,
                () -> client.pods().inNamespace(namespace).withLabels(ours).list(one));
    }

    /** Returns when the namespace is there, and something could be made in it; nothing is. */
    void requireNamespace() throws BackendException {
        Secret trial = new SecretBuilder()
                .withNewMetadata()
                .withGenerateName("muster-check-")
                .endMetadata()
                .build();
        ask(
                "a Secret was tried in namespace " + namespace + " (dry run)",
                () -> client.secrets()
                        .inNamespace(namespace)
                        .resource(trial)
                        .dryRun()
                        .create());
    }

    Set<String> serviceNames() throws BackendException {
        return ask(
                "services were listed",
                () -> services(ours).map(ObjectMeta::getName).collect(Collectors.toSet()));
    }

    List<String> serviceJobs() throws BackendException {
        return ask(
                "services were listed",
                () -> services(ours)
                        .map(service -> service.getLabels().getOrDefault(Labels.JOB, ""))
                        .toList());
    }

    private Stream<ObjectMeta> services(Map<String, String> labels) {
        return client.services().inNamespace(namespace).withLabels(labels).list().getItems().stream()
                .map(Service::getMetadata);
    }

    /** Sets annotations of a pod; one that is gone is left gone. */
    void annotate(String pod, Map<String, String> annotations) throws BackendException {
        patch(pod, PatchType.JSON_MERGE, Map.of("metadata", Map.of("annotations", annotations)));
    }

    /** The pod that an attempt is to be, as its fence says; empty where there is no fence. */
    Optional<String> fenced(String fence) throws BackendException {
        return ask(
                "secret " + fence + " was asked for",
                () -> client
                        .secrets()
                        .inNamespace(namespace)
                        .withLabels(ours)
                        .withField("metadata.name", fence)
                        .list()
                        .getItems()
                        .stream()
                        .findFirst()
                        .map(secret -> secret.getMetadata().getLabels().getOrDefault(Labels.POD, "")));
    }

    /** Sets annotations by which a pod is another attempt from now on; the pod then, empty where it is gone. */
    Optional<PodSeen> become(String pod, Map<String, String> annotations) throws BackendException {
        annotate(pod, annotations);
        return pod(pod);
    }

    /** Has the Service of that member lead to the pod; that of none with an empty one. */
    void lead(String pod, String member) throws BackendException {
        Map<String, String> mark = Map.of(Labels.MEMBER, member);
        patch(pod, PatchType.JSON_MERGE, Map.of("metadata", Map.of("labels", mark, "annotations", mark)));
    }

    /** Gives a pod the labels by which it is found; false where it is gone. */
    boolean mark(String pod, JobId job, Optional<String> member) throws BackendException {
        Map<String, String> labels = new HashMap<>(ours);
        member.ifPresent(name -> labels.put(Labels.MEMBER, name));
        labels.put(Labels.JOB, job.value());
        return patch(pod, PatchType.JSON_MERGE, Map.of("metadata", Map.of("labels", labels)));
    }

    /** Lets go of the pod: the API server may remove it once others, such as Kueue, have let go of it too. */
    void dropFinalizer(String pod) throws BackendException {
        patch(
                pod,
                PatchType.STRATEGIC_MERGE,
                Map.of("metadata", Map.of("$deleteFromPrimitiveList/finalizers", List.of(Labels.FINALIZER))));
    }

    /** False where it is gone. */
    private boolean patch(String pod, PatchType type, Map<String, Object> change) throws BackendException {
        return ask("pod " + pod + " was changed", () -> {
            try {
                client.pods()
                        .inNamespace(namespace)
                        .withName(pod)
                        .patch(
                                PatchContext.of(type),
                                client.getKubernetesSerialization().asJson(change));
                return true;
            } catch (KubernetesClientException answer) {
                if (Failures.isMissing(answer)) {
                    return false;
                }
                throw answer;
            }
        });
    }

    void deletePod(String name) throws BackendException {
        ask(
                "pod " + name + " was deleted",
                () -> client.pods()
                        .inNamespace(namespace)
                        .withName(name)
                        .withGracePeriod(0)
                        .delete());
    }

    /** Deletes the Secrets and the Services of a job. */
    void deleteObjects(String job) throws BackendException {
        Map<String, String> selector = new HashMap<>(ours);
        selector.put(Labels.JOB, job);
        ask("what was made for job " + job + " was deleted", () -> {
            client.secrets().inNamespace(namespace).withLabels(selector).delete();
            client.services().inNamespace(namespace).withName(job).delete();
            services(selector)
                    .map(ObjectMeta::getName)
                    .forEach(name -> client.services()
                            .inNamespace(namespace)
                            .withName(name)
                            .delete());
            return job;
        });
    }

    void deleteSecret(String name) throws BackendException {
        ask(
                "secret " + name + " was deleted",
                () -> client.secrets().inNamespace(namespace).withName(name).delete());
    }

    /** Refuses a job whose claim for checkpoints is not there. */
    void requireCheckpointClaim(JobSpec spec) throws BackendException {
        Optional<String> claim = Block.of(spec).text("checkpointClaim");
        if (claim.isPresent() && claimPhase(claim.get()).isEmpty()) {
            throw Failures.refused(
                    Cause.BACKEND_REFUSED,
                    "kubernetes.checkpointClaim: there is no claim " + claim.get() + " in namespace " + namespace
                            + " (make it, or correct the name)");
        }
    }

    /** Refuses a job that names a queue of Kueue's where there is no Kueue. */
    void requireKueue(JobSpec spec) throws BackendException {
        Optional<String> queue = Kueue.queue(spec);
        if (queue.isPresent()
                && !ask("the API server was asked for its groups", () -> client.hasApiGroup(Kueue.API, true))) {
            throw Failures.refused(
                    Cause.BACKEND_REFUSED,
                    "kubernetes.kueueQueue: Kueue is not installed in this cluster, so nobody knows queue "
                            + queue.get() + " (leave it out: Muster starts a group as a whole by itself)");
        }
    }

    private Optional<String> claimPhase(String claim) throws BackendException {
        return ask(
                "claim " + claim + " was asked for",
                () -> Optional.ofNullable(client.persistentVolumeClaims()
                                .inNamespace(namespace)
                                .withName(claim)
                                .get())
                        .map(found -> found.getStatus().getPhase()));
    }

    Exec exec(String pod, String container) {
        return new Exec(carriers, namespace, pod, container);
    }

    @Override
    public void close() {
        pulse.close();
        carriers.close();
        client.close();
    }
}
