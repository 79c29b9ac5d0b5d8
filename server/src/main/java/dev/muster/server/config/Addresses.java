package dev.muster.server.config;

import dev.muster.spec.form.At;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses in a configuration. Names are never looked up: what is listened at must not depend on a resolver. */
final class Addresses {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9]{1,3}(?:[.][0-9]{1,3}){3}|localhost)):([0-9]{1,5})");
    private static final String RULE =
            "must be ADDRESS:PORT, such as 127.0.0.1:8470, 0.0.0.0:8470 or [::1]:8470; a port from 0 (a free one) to 65535";

    private Addresses() {}

    static Optional<InetSocketAddress> read(At at, String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > 65_535) {
            return at.wrong(RULE + ", not " + At.shown(text));
        }
        String host =
                matcher.group(1) != null ? matcher.group(1) : matcher.group(2).replace("localhost", "127.0.0.1");
        try {
            // Only digits, dots and colons: an address, or it fails without a look-up.
            InetAddress address = InetAddress.ofLiteral(host);
            return Optional.of(new InetSocketAddress(address, Integer.parseInt(matcher.group(3))));
        } catch (IllegalArgumentException noAddress) {
            return at.wrong(RULE + ", not " + At.shown(text));
        }
    }

    static Optional<URI> url(At at, String text) {
        String rule = "must be http:// or https:// with a host, a port where it is not the usual one, and nothing else";
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean bare = url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null
                    && (url.getPath().isEmpty() || url.getPath().equals("/"));
            return web && bare
                    ? Optional.of(new URI(url.getScheme(), null, url.getHost(), url.getPort(), null, null, null))
                    : at.wrong(rule + ", not " + At.shown(text));
        } catch (URISyntaxException noUrl) {
            return at.wrong(rule + ", not " + At.shown(text));
        }
    }
}
