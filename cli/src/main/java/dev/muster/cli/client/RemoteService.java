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
     * @throws Failure when the address is no URL of a service
     */
    public RemoteService(String address, Optional<String> token) {
        this.endpoint = new Endpoint(checked(address), token, OptionalLong.empty());
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
        throw Failure.notReached("the service at " + endpoint.address() + " was not reached: " + why);
    }
}
