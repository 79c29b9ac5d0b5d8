package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.Member;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects beside the pods of a job, as the text that is sent; pure.
 *
 * @param config what all objects of this service have in common
 */
record Objects(KubernetesConfig config) {
    /** What etcd takes of a Secret, less its names. */
    static final int LARGEST_LAUNCH = 1_000_000;

    /** Read once: each pod made is given them. */
    private static final Map<String, String> SCRIPTS = Stream.of(
                    "setup", "stay", "go", "run", "ask", "kill", "shell", "follow")
            .collect(Collectors.toUnmodifiableMap(script -> script, script -> text(script + ".sh")));

    private static final String INSTALLER = text("requirements.py");

    /** The headless Service that gives members their names, also before they are ready. */
    Map<String, Object> service(JobId job) {
        return headlessService(
                new Tree().put("name", Names.service(job)).put("labels", labels(job)),
                labels(job).fields());
    }

    /** The headless Service that leads to the pod that is the member now. */
    Map<String, Object> service(JobId job, Member member) {
        return headlessService(
                new Tree().put("name", Names.service(job, member)).put("labels", labels(job)),
                labels(job).put(Labels.MEMBER, Names.host(member)).fields());
    }

    /** What says, once and for all, which pod an attempt is to be, and nothing else. */
    Map<String, Object> fence(ProcessKey key, String pod) {
        return new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put(
                        "metadata",
                        new Tree()
                                .put("name", Names.fence(key))
                                .put("labels", labels(key.job()).put(Labels.POD, pod)))
                .fields();
    }

    /** A Service that only gives names to the pods it selects, also before they are ready. */
    static Map<String, Object> headlessService(Tree metadata, Map<String, ?> selector) {
        return new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Service")
                .put("metadata", metadata)
                .put(
                        "spec",
                        new Tree()
                                .put("clusterIP", "None")
                                .put("publishNotReadyAddresses", true)
                                .put("selector", selector))
                .fields();
    }

    private Tree labels(JobId job) {
        return new Tree().put(Labels.INSTANCE, config.instance()).put(Labels.JOB, job.value());
    }

    /** The launch of an attempt, values of secrets included, and the scripts of its pod. */
    Map<String, Object> secret(Launch launch, Rendered rendered, Optional<String> requirements) {
        return secret(
                Names.pod(launch.key()), launch.key().job(), Map.of("start", LaunchText.of(rendered)), requirements);
    }

    /**
     * Launches of a job and the scripts of their pods.
     *
     * @param name     of the Secret
     * @param launches what pods read to start their programs, by the name they read it by
     */
    Map<String, Object> secret(String name, JobId job, Map<String, String> launches, Optional<String> requirements) {
        Map<String, Object> content = new TreeMap<>(launches);
        content.putAll(SCRIPTS);
        requirements.ifPresent(text -> {
            content.put("requirements", text);
            content.put("requirements.py", INSTALLER);
        });
        return new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("metadata", new Tree().put("name", name).put("labels", labels(job)))
                .put("stringData", content)
                .fields();
    }

    static String text(String name) {
        try (InputStream text = Objects.class.getResourceAsStream(name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
