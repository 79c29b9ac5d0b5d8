package dev.muster.backend.kubernetes;

import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.ContactTck.Outage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The cluster that {@code testbed/real-kubernetes} brings.
 *
 * @param kubeconfig of the service account that has just the rights of deploy/kubernetes/rbac.yaml
 * @param admin      of an admin, for what others do behind the service's back
 * @param testbed    the program that stops and continues parts of the cluster
 */
record TestCluster(Path kubeconfig, Path admin, Path testbed) {
    static final String SIDECAR = "muster.dev/busybox:testbed";
    static final String BASE = "muster-test/base:1";
    static final String BUSYBOX = "muster-test/busybox:1";

    static TestCluster get() {
        return new TestCluster(path("MUSTER_TEST_KUBECONFIG"), path("MUSTER_TEST_ADMIN"), path("MUSTER_TEST_CLUSTER"));
    }

    private static Path path(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new AssertionError(variable + " is not set: run testbed/real-kubernetes, which brings a cluster");
        }
        return Path.of(value);
    }

    KubernetesConfig config(JobFolders folders, CodeStore code, String instance) {
        return config(kubeconfig, folders, code, instance);
    }

    static KubernetesConfig config(Path kubeconfig, JobFolders folders, CodeStore code, String instance) {
        return new KubernetesConfig(
                folders,
                code,
                Instant::now,
                () -> UUID.randomUUID().toString(),
                instance,
                Optional.of(kubeconfig),
                Optional.of("default"),
                SIDECAR,
                KubernetesConfig.GPU_RESOURCE,
                Optional.empty(),
                KubernetesConfig.PATCHABLE,
                Optional.empty(),
                Duration.ofMinutes(10));
    }

    Outage outage() {
        return new Outage() {
            @Override
            public void begin() throws Exception {
                testbed("pause");
            }

            @Override
            public void end() throws Exception {
                testbed("continue");
            }
        };
    }

    private void testbed(String verb) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(testbed.toString(), verb, "kube-apiserver")
                .inheritIO()
                .start();
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(testbed + " " + verb + " failed");
        }
    }
}
