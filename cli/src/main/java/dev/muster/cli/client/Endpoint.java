package dev.muster.cli.client;

import java.util.Optional;

/**
 * Where a service is.
 *
 * @param address such as {@code http://127.0.0.1:41234}, without a slash at the end
 * @param token   bearer token
 * @param local   whether it runs on this machine, so that an end of it is always noticed
 */
public record Endpoint(String address, Optional<String> token, boolean local) {
    /** Without the token. */
    @Override
    public String toString() {
        return address;
    }
}
