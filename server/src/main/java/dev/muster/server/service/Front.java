package dev.muster.server.service;

import dev.muster.backend.local.RunAs;
import dev.muster.server.access.Callers;
import dev.muster.server.home.MusterHome;
import dev.muster.server.http.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;

/**
 * What a service shows to the outside.
 *
 * @param listen  where it listens; port 0 takes a free one
 * @param tls     what it presents to clients; empty for plain HTTP
 * @param url     how clients reach it where that is not the address it listens at
 * @param callers knows the tokens
 * @param audit   file that tells who changed what
 * @param hostPaths folders of this machine that jobs of several users may name
 * @param runAs   as whom processes of backend local run
 */
public record Front(
        InetSocketAddress listen,
        Optional<SSLContext> tls,
        Optional<URI> url,
        Callers callers,
        Path audit,
        List<Path> hostPaths,
        RunAs runAs) {

    /** That of a service for one person: a free port of loopback. */
    public static Front ofOne(MusterHome home, Callers callers) {
        return new Front(
                Listener.loopback(),
                Optional.empty(),
                Optional.empty(),
                callers,
                audit(home.folder()),
                List.of(),
                RunAs.NOBODY_ELSE);
    }

    /** Where it is told unless told otherwise. */
    public static Path audit(Path home) {
        return home.resolve("logs").resolve("audit.jsonl");
    }

    private String scheme() {
        return tls.isPresent() ? "https" : "http";
    }

    /** Base of its URLs, as it listens. */
    String address(int port) {
        InetAddress address = listen.getAddress();
        String host = address.getHostAddress();
        return scheme() + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Base of its URLs, as clients reach it. */
    public String publicAddress(int port) {
        return url.map(URI::toString).orElseGet(() -> address(port));
    }

    /** Values of Host that mean it. */
    Set<String> hosts(int port) {
        Set<String> hosts = new TreeSet<>();
        if (!listen.getAddress().isAnyLocalAddress()) {
            hosts.add(URI.create(address(port)).getRawAuthority());
        }
        if (listen.getAddress().isLoopbackAddress()) {
            hosts.add("localhost:" + port);
        }
        url.ifPresent(given -> {
            hosts.add(given.getRawAuthority());
            int usual = given.getScheme().equals("https") ? 443 : 80;
            if (given.getPort() < 0 || given.getPort() == usual) {
                hosts.add(given.getHost());
                hosts.add(given.getHost() + ":" + usual);
            }
        });
        return hosts;
    }

    /** Values of Origin that its own pages have. */
    Set<String> origins(int port) {
        Set<String> origins = new TreeSet<>();
        hosts(port).forEach(host -> origins.add(scheme() + "://" + host));
        url.ifPresent(given -> origins.add(given.toString()));
        return origins;
    }
}
