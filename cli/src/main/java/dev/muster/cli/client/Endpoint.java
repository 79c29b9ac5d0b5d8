package dev.muster.cli.client;

import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLSocketFactory;

/**
 * Where a service is.
 *
 * @param address such as {@code http://127.0.0.1:41234}, without a slash at the end
 * @param token   bearer token
 * @param secured  what opens connections by TLS, where it is not Java's own
 * @param pid     process id of the service where it is this machine's own
 */
public record Endpoint(String address, Optional<String> token, Optional<SSLSocketFactory> secured, OptionalLong pid) {
    /** One that needs no certificates but Java's own. */
    public Endpoint(String address, Optional<String> token, OptionalLong pid) {
        this(address, token, Optional.empty(), pid);
    }

    /** For a person, without the token. */
    @Override
    public String toString() {
        return pid.isPresent() ? address + " (pid " + pid.getAsLong() + ")" : address;
    }
}
