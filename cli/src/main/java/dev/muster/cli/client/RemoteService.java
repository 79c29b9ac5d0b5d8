package dev.muster.cli.client;

import dev.muster.cli.base.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalLong;

/** A service that a person named by its URL. Nothing is started. */
public final class RemoteService implements ServiceFinder {
    private static final int LAST_PORT = 65_535;

    private final Endpoint endpoint;

    /**
     * @param believed file of the certificates that are believed in place of Java's own, see {@link Trust}
     * @throws Failure when the token is none, when the address is no URL of a service, or the certificates for it cannot be read
     */
    public RemoteService(String address, Optional<String> token, Optional<String> believed) {
        String checked = checked(address);
        this.endpoint = new Endpoint(
                checked,
                token.map(text -> BearerToken.of(text, "MUSTER_TOKEN")),
                believed.filter(file -> checked.startsWith("https:")).map(Trust::in),
                OptionalLong.empty());
    }

    private static String checked(String address) {
        try {
            URI uri = new URI(address);
            String scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null && uri.getQuery() == null) {
                if (uri.getPort() > LAST_PORT) {
                    throw Failure.badField(
                            "--server",
                            "has port " + uri.getPort() + ", and ports end at " + LAST_PORT,
                            scheme + "://" + uri.getHost() + ":8470");
                }
                String path = uri.getPath().replaceAll("/+$", "");
                if (path.endsWith("/v1")) {
                    throw Failure.badField(
                            "--server",
                            "is without the /v1 at its end, which the command line adds",
                            scheme + "://" + uri.getAuthority() + path.substring(0, path.length() - "/v1".length()));
                }
                return scheme + "://" + uri.getAuthority() + path;
            }
        } catch (URISyntaxException noUrl) {
            // Told below, as for any other wrong address.
        }
        throw Failure.badField(
                "--server", "must be a URL, and is " + address, "such as https://muster.example.org:8443");
    }

    @Override
    public Endpoint find() {
        return endpoint;
    }

    @Override
    public Endpoint findAgain(Endpoint failed, String why) {
        String advice = why.contains("PKIX") || why.contains("certificate")
                ? "; its certificate is not believed: " + Trust.VARIABLE
                        + " names a file with the certificate, or that of who signed it"
                : endpoint.address().startsWith("https:") && why.contains("SSL message")
                        ? "; it seems to speak plain HTTP: "
                                + endpoint.address().replaceFirst("https", "http")
                        : "; see that it runs there, and that --server or MUSTER_SERVER names it";
        throw Failure.notReached("the service at " + endpoint.address() + " was not reached: " + why + advice);
    }
}
