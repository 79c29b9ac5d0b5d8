package dev.muster.cli.client;

import dev.muster.cli.base.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalLong;

/** A service that a person named by its URL. Nothing is started. */
public final class RemoteService implements ServiceFinder {
    private final Endpoint endpoint;

    /**
     * @param believed file of the certificates that are believed in place of Java's own, see {@link Trust}
     * @throws Failure when the address is no URL of a service, or the certificates for it cannot be read
     */
    public RemoteService(String address, Optional<String> token, Optional<String> believed) {
        String checked = checked(address);
        this.endpoint = new Endpoint(
                checked,
                token,
                believed.filter(file -> checked.startsWith("https:")).map(Trust::in),
                OptionalLong.empty());
    }

    private static String checked(String address) {
        try {
            URI uri = new URI(address);
            String scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null && uri.getQuery() == null) {
                String path = uri.getPath().replaceAll("/+$", "");
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
                : "; see that it runs there, and that --server or MUSTER_SERVER names it";
        throw Failure.notReached("the service at " + endpoint.address() + " was not reached: " + why + advice);
    }
}
