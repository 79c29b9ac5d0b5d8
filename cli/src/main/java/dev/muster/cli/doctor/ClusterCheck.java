package dev.muster.cli.doctor;

import dev.muster.cli.base.Reasons;
import dev.muster.cli.base.Surroundings;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;

/** The cluster that backend kubernetes would use, by its kubeconfig; no credential is sent. */
final class ClusterCheck {
    private static final String NAME = "cluster";
    private static final String VARIABLE = "KUBECONFIG";
    private static final Pattern VERSION = Pattern.compile("\"gitVersion\"\\s*:\\s*\"([^\"]+)\"");
    private static final int LARGEST = 1 << 20;
    private static final int PATIENCE_MILLISECONDS = 5_000;

    private final Surroundings surroundings;

    ClusterCheck(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    Finding look() {
        Optional<String> given = surroundings.variable(VARIABLE);
        String home = surroundings.variable("HOME").orElseGet(() -> System.getProperty("user.home", "/"));
        List<Path> files = given.map(text -> Stream.of(text.split(File.pathSeparator))
                        .map(part -> surroundings.folder().resolve(part))
                        .toList())
                .orElseGet(() -> List.of(Path.of(home, ".kube", "config")));
        Optional<Path> file = files.stream().filter(Files::exists).findFirst();
        if (file.isPresent()) {
            return look(file.get());
        }
        return given.isPresent()
                ? Finding.limited(
                        NAME,
                        "KUBECONFIG names " + given.get()
                                + ", and there is no such file: jobs of backend kubernetes are refused",
                        "correct KUBECONFIG")
                : Finding.none(
                        NAME,
                        "KUBECONFIG is not set and there is no " + files.getFirst()
                                + ": jobs of backend kubernetes are refused");
    }

    private static Finding look(Path file) {
        String fix = "correct " + file + ", or see with: kubectl --kubeconfig " + file + " get pods";
        String server = "";
        try {
            server = Kubeconfig.server(Files.readString(file)).orElse("");
            if (server.isEmpty()) {
                return Finding.limited(NAME, file + " names no `server` for its current context", fix);
            }
            return Finding.ok(NAME, version(server) + " at " + server + ", by " + file);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unanswered) {
            String why = unanswered instanceof IOException failed ? Reasons.of(failed) : unanswered.getMessage();
            return Finding.limited(
                    NAME,
                    (server.isEmpty() ? file + " cannot be read" : server + " of " + file + " does not answer") + " ("
                            + why + "): no job of backend kubernetes gets on",
                    fix);
        }
    }

    private static String version(String server) throws IOException, GeneralSecurityException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(server.replaceFirst("/$", "") + "/version").toURL().openConnection();
        if (connection instanceof HttpsURLConnection secured) {
            Kubeconfig.trustWhoeverAnswers(secured);
        }
        connection.setConnectTimeout(PATIENCE_MILLISECONDS);
        connection.setReadTimeout(PATIENCE_MILLISECONDS);
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            // It answers; strangers are not told more.
            return "an API server answers (its version is not told to strangers)";
        }
        try (InputStream in = connection.getInputStream()) {
            Matcher version = VERSION.matcher(new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8));
            return version.find() ? "Kubernetes " + version.group(1) + " answers" : "an API server answers";
        }
    }
}
