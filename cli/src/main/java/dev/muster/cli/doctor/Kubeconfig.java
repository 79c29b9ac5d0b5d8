package dev.muster.cli.doctor;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** As much of a kubeconfig as it takes to ask whether an API server is there. */
final class Kubeconfig {
    private static final String NAME = "[\"']?([^\"'\\s,}]+)";

    private Kubeconfig() {}

    /** The address of the API server of the current context, as kubectl writes it or in one line; else the first one named. */
    static Optional<String> server(String text) {
        Optional<String> cluster = value(text, "current-context").flatMap(context -> ofNamed(text, context, "cluster"));
        return cluster.flatMap(name -> ofNamed(text, name, "server"))
                .or(() -> value(text, "server"))
                .filter(server -> server.startsWith("http"));
    }

    private static Optional<String> value(String text, String key) {
        Matcher found =
                Pattern.compile("[\"']?\\b" + key + "[\"']?:[ \t]*" + NAME).matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** Of the entry of that name in one of the lists: its key stands before the name or after it. */
    private static Optional<String> ofNamed(String text, String name, String key) {
        for (String entry : text.split("(?m)^[ \t]*- |\\{[ \t]*(?=[\"']?name[\"']?:)")) {
            boolean named = value(entry, "name").filter(name::equals).isPresent();
            Optional<String> value =
                    value(entry.replaceFirst("(?m)^(contexts|users|clusters|current-context):[\\s\\S]*", ""), key);
            if (named && value.isPresent()) {
                return value;
            }
        }
        return Optional.empty();
    }

    /** For a question that holds no secret, and whose answer decides nothing. */
    static void trustWhoeverAnswers(HttpsURLConnection connection) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        connection.setSSLSocketFactory(context.getSocketFactory());
        connection.setHostnameVerifier((host, session) -> true);
    }

    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
