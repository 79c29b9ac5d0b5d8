package dev.muster.server;

import dev.muster.backend.kubernetes.ClusterCheck;
import dev.muster.backend.kubernetes.KubeflowBackend;
import dev.muster.backend.kubernetes.KubernetesBackend;
import dev.muster.backend.kubernetes.KubernetesConfig;
import dev.muster.model.BackendKind;
import dev.muster.model.Problem;
import dev.muster.spi.Backend;
import dev.muster.spi.Clock;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The cluster of a service, as its environment names it: {@code KUBECONFIG}, else {@code ~/.kube/config}, else the account of the pod it runs in.
 *
 * @param folders     of the service
 * @param environment of the service
 * @param kind        which backend; kubeflow goes by the variables of kubernetes where it has none of its own
 */
record ClusterSettings(JobFolders folders, Map<String, String> environment, BackendKind kind) {
    private static final String PREFIX = "MUSTER_KUBERNETES_";
    private static final String OWN = "MUSTER_KUBEFLOW_";
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");
    private static final int INSTANCE_LENGTH = 12;

    /**
     * The backend, which reaches for the cluster when a job first asks for it; empty where no cluster is named.
     *
     * @param freshName a name that nobody else knows
     * @param shared whether other replicas take jobs too, that this one may have to drive: then it is reached for at once
     */
    Optional<Backend> backend(CodeStore code, Clock clock, Supplier<String> freshName, boolean shared)
            throws IOException {
        if (!isNamed()) {
            return Optional.empty();
        }
        Optional<Path> kubeconfig = kubeconfig();
        quietClient();
        Path used = folders.home().resolve(kind.text() + ".used");
        if (shared && !Files.exists(used)) {
            Files.createFile(used);
        }
        return Optional.of(new LazyBackend(kind, used, () -> open(config(kubeconfig, code, clock, freshName))));
    }

    /** Whether there is a kubeconfig, or the account of a pod. */
    boolean isNamed() {
        return kubeconfig().isPresent() || Files.exists(ACCOUNT);
    }

    /** What the cluster has against running jobs there; asked of it, and nothing is made. */
    Optional<String> problem() {
        quietClient();
        return ClusterCheck.problem(kubeconfig(), setting("NAMESPACE"));
    }

    /** The client library's log has no home here, and its word about that does not belong in ours. */
    private static void quietClient() {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
    }

    private Backend open(KubernetesConfig config) {
        return kind == BackendKind.KUBEFLOW ? new KubeflowBackend(config) : new KubernetesBackend(config);
    }

    /**
     * Why there is no cluster, where none is named, as a problem of a job that is to run there.
     *
     * @param embedded whether the service was started by a command, and has the environment of that
     */
    Problem absence(boolean embedded) {
        String given = environment.getOrDefault(variable(), "");
        String file = Optional.ofNullable(environment.get("HOME")).orElse("~") + "/.kube/config";
        String why = given.isBlank()
                ? "KUBECONFIG is not set and there is no file " + file
                : variable() + " names " + given + ", and there is no such file";
        String fix = "export " + variable() + "=FILE with the kubeconfig of the cluster";
        return Problem.of(
                "backend",
                kind.text() + " is not available in this service: " + why,
                embedded
                        ? fix + "; a service that runs already keeps the environment of its start:"
                                + " muster local stop (workers go on), then again"
                        : fix + " for the service, or name it in backends." + kind.text()
                                + ".kubeconfig, and start the service again");
    }

    private String variable() {
        return own("KUBECONFIG").isPresent() ? OWN + "KUBECONFIG" : "KUBECONFIG";
    }

    private Optional<Path> kubeconfig() {
        String given = environment.getOrDefault(variable(), "");
        if (!given.isBlank()) {
            return Arrays.stream(given.split(File.pathSeparator))
                    .map(Path::of)
                    .filter(Files::exists)
                    .findFirst();
        }
        return Optional.ofNullable(environment.get("HOME"))
                .map(home -> Path.of(home, ".kube", "config"))
                .filter(Files::exists);
    }

    private KubernetesConfig config(
            Optional<Path> kubeconfig, CodeStore code, Clock clock, Supplier<String> freshName) {
        Set<String> patchable = new HashSet<>(KubernetesConfig.PATCHABLE);
        setting("PATCHABLE").ifPresent(more -> patchable.addAll(Arrays.asList(more.split("[, ]+"))));
        return new KubernetesConfig(
                folders,
                code,
                clock,
                freshName,
                instanceOfKind(),
                kubeconfig,
                setting("NAMESPACE"),
                setting("SIDECAR").orElse(KubernetesConfig.SIDECAR_IMAGE),
                setting("GPU").orElse(KubernetesConfig.GPU_RESOURCE),
                setting("PYTHON_CLAIM"),
                patchable,
                Optional.empty(),
                KubernetesConfig.COLLECT_WITHIN);
    }

    private Optional<String> setting(String name) {
        return own(name)
                .or(() -> Optional.ofNullable(environment.get(PREFIX + name)).filter(value -> !value.isBlank()));
    }

    private Optional<String> own(String name) {
        return Optional.ofNullable(environment.get(OWN + name))
                .filter(value -> kind == BackendKind.KUBEFLOW && !value.isBlank());
    }

    /** Each backend of a service has objects of its own, also where both are in one namespace. */
    private String instanceOfKind() {
        if (own("INSTANCE").isPresent()) {
            return own("INSTANCE").get();
        }
        String shared = setting("INSTANCE").orElseGet(this::instance);
        return kind == BackendKind.KUBEFLOW ? shared + "-kubeflow" : shared;
    }

    /**
     * Tells the objects of this home from those of every other, also of a home of the same path on another machine: who took those for its own would
     * end them as orphans. Kept in the home, as machines change their names.
     */
    private String instance() {
        Path kept = folders.home().resolve("kubernetes.instance");
        try {
            if (!Files.exists(kept)) {
                String place =
                        read(Path.of("/etc/machine-id")) + read(Path.of("/proc/sys/kernel/hostname")) + folders.home();
                String digest = UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", "");
                Files.writeString(kept, digest.substring(0, INSTANCE_LENGTH));
            }
            return Files.readString(kept).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String read(Path file) throws IOException {
        return Files.isReadable(file) ? Files.readString(file) : "";
    }
}
