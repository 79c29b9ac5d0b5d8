package dev.muster.cli.embedded;

import dev.muster.cli.base.Surroundings;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The variables the service is started with. It outlives the terminal it came from and its processes get theirs from it, so only
 * what describes the person and the machine goes along: no half-activated virtual environment, no secret that happened to be set.
 */
final class ServiceEnvironment {
    /** Settings of the service itself, by which two starts can differ. */
    static final List<String> SETTINGS = List.of(
            "MUSTER_CAPACITY",
            "MUSTER_GPUS",
            "DOCKER_HOST",
            "MUSTER_DOCKER_CAPACITY",
            "MUSTER_DOCKER_GPUS",
            "MUSTER_DOCKER_MOUNTS",
            "MUSTER_DOCKER_FILES",
            "KUBECONFIG",
            "MUSTER_KUBERNETES_NAMESPACE",
            "MUSTER_KUBERNETES_SIDECAR",
            "MUSTER_KUBERNETES_INSTANCE",
            "MUSTER_KUBERNETES_GPU",
            "MUSTER_KUBERNETES_PYTHON_CLAIM",
            "MUSTER_KUBERNETES_PATCHABLE",
            "MUSTER_KUBEFLOW_KUBECONFIG",
            "MUSTER_KUBEFLOW_NAMESPACE",
            "MUSTER_KUBEFLOW_SIDECAR",
            "MUSTER_KUBEFLOW_INSTANCE",
            "MUSTER_KUBEFLOW_GPU",
            "MUSTER_KUBEFLOW_PYTHON_CLAIM",
            "MUSTER_KUBEFLOW_PATCHABLE");

    private static final Set<String> KEPT = Set.of(
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "PATH",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TMPDIR",
            "LD_LIBRARY_PATH",
            "CUDA_HOME",
            "CUDA_VISIBLE_DEVICES",
            "NVIDIA_VISIBLE_DEVICES",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "REQUESTS_CA_BUNDLE",
            "CURL_CA_BUNDLE",
            "XDG_CACHE_HOME",
            "XDG_CONFIG_HOME",
            "PYENV_ROOT");
    private static final Set<String> KEPT_IN_ANY_CASE =
            Set.of("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy");
    /** How pip reaches packages, the locale, and how many threads numeric libraries take. */
    private static final List<String> KEPT_PREFIXES = List.of("PIP_", "LC_", "OPENBLAS_", "MKL_", "OMP_");

    private ServiceEnvironment() {}

    static Map<String, String> of(Surroundings surroundings) {
        Map<String, String> kept = new HashMap<>();
        surroundings.variables().forEach((name, value) -> {
            if (isKept(name)) {
                kept.put(name, value);
            }
        });
        kept.putIfAbsent("HOME", System.getProperty("user.home", "/"));
        if (!isUtf8(kept)) {
            // Otherwise the JVM could not name a file beyond ASCII.
            kept.put("LC_ALL", "C.UTF-8");
        }
        return kept;
    }

    private static boolean isKept(String name) {
        return KEPT.contains(name)
                || SETTINGS.contains(name)
                || KEPT_IN_ANY_CASE.contains(name.toLowerCase(Locale.ROOT))
                || KEPT_PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** As setlocale picks the character set: the first of the three that is set. */
    private static boolean isUtf8(Map<String, String> variables) {
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            String value = variables.getOrDefault(name, "");
            if (!value.isEmpty()) {
                String lower = value.toLowerCase(Locale.ROOT);
                return lower.endsWith("utf-8") || lower.endsWith("utf8");
            }
        }
        return false;
    }
}
