package dev.muster.server.config;

import dev.muster.model.Problem;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;

/** Whether a service can listen where it is told to: it is tried, and let go of at once. */
public final class ListenCheck {
    private static final String FIELD = "listen";

    private ListenCheck() {}

    /** Why nobody can listen at the address now; empty when one can. */
    public static Optional<Problem> address(InetSocketAddress listen) {
        Optional<IOException> refused = refusal(listen);
        return refused.map(why -> why instanceof BindException
                        && refusal(new InetSocketAddress(listen.getAddress(), 0))
                                .isPresent()
                ? Problem.of(
                        FIELD,
                        shown(listen) + " cannot be had: " + listen.getAddress().getHostAddress()
                                + " is no address of this machine",
                        "0.0.0.0:" + listen.getPort() + " for all its addresses; ip address shows them")
                : port(listen, why));
    }

    private static Problem port(InetSocketAddress listen, IOException why) {
        return why.getMessage() != null && why.getMessage().contains("in use")
                ? Problem.of(
                        FIELD,
                        shown(listen) + " is in use by another program",
                        "another port, or end that program; ss -ltnp shows which it is")
                : Problem.of(FIELD, shown(listen) + " cannot be had: " + why.getMessage(), "a port from 1024 on");
    }

    private static Optional<IOException> refusal(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused);
        }
    }

    private static String shown(InetSocketAddress listen) {
        String host = listen.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + listen.getPort();
    }
}
