package dev.muster.backend.local;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Variables every local process is given besides those of its plan: copied from the service's environment where they are set there,
 * and nothing else. A variable of the plan goes first.
 */
final class BaseVariables {
    private static final Set<String> NAMES = Set.of(
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TMPDIR",
            "TZ",
            "LANG",
            "LANGUAGE",
            "LD_LIBRARY_PATH",
            "CUDA_VISIBLE_DEVICES",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "REQUESTS_CA_BUNDLE",
            "CURL_CA_BUNDLE",
            "http_proxy",
            "https_proxy",
            "ftp_proxy",
            "all_proxy",
            "no_proxy",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "FTP_PROXY",
            "ALL_PROXY",
            "NO_PROXY");
    private static final List<String> PREFIXES = List.of("LC_", "OPENBLAS_", "MKL_", "OMP_");

    private BaseVariables() {}

    /**
     * The variables.
     *
     * @param environment the service's
     */
    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> base = new TreeMap<>();
        environment.forEach((name, value) -> {
            if (NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith)) {
                base.put(name, value);
            }
        });
        speakUtf8(base);
        return base;
    }

    /** In the locale C, programs such as a JVM cannot name a file with other than ASCII letters; C.UTF-8 differs in nothing else. */
    private static void speakUtf8(Map<String, String> base) {
        String language = base.getOrDefault("LANG", "");
        boolean plain = language.isEmpty() || language.equals("C") || language.equals("POSIX");
        if (plain && !base.containsKey("LC_ALL") && !base.containsKey("LC_CTYPE")) {
            base.put("LANG", "C.UTF-8");
        }
    }
}
