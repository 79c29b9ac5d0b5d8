package dev.muster.backend.docker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * Where a dockerd listens, as DOCKER_HOST says it: {@code unix:///path} or {@code tcp://host:port}. Anything else is kept as it is and
 * told when it is used.
 *
 * @param text what was given
 */
record DockerAddress(String text) {
    private static final String DEFAULT = "unix:///var/run/docker.sock";
    private static final int PLAIN_PORT = 2375;

    static DockerAddress of(String dockerHost) {
        return new DockerAddress(dockerHost.isBlank() ? DEFAULT : dockerHost.strip());
    }

    /** Why it cannot be used, whatever answers there. */
    Optional<String> unusable() {
        if (text.startsWith("unix://") || text.startsWith("tcp://")) {
            return Optional.empty();
        }
        return Optional.of("DOCKER_HOST " + text + " is of no kind that Muster speaks: unix:///path or tcp://host:port"
                + " (for ssh, forward the socket: ssh -nNT -L /path/docker.sock:/var/run/docker.sock HOST)");
    }

    /** A new connection. */
    SocketChannel connect() throws IOException {
        Optional<String> unusable = unusable();
        if (unusable.isPresent()) {
            throw new IOException(unusable.get());
        }
        SocketAddress address = address();
        SocketChannel channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        try {
            channel.connect(address);
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed instanceof IOException io ? io : new IOException(failed.toString(), failed);
        }
    }

    private SocketAddress address() {
        if (text.startsWith("unix://")) {
            return UnixDomainSocketAddress.of(text.substring("unix://".length()));
        }
        String rest = text.substring("tcp://".length());
        int colon = rest.lastIndexOf(':');
        boolean hasPort = colon > rest.lastIndexOf(']') && colon >= 0;
        String host =
                (hasPort ? rest.substring(0, colon) : rest).replace("[", "").replace("]", "");
        int port = hasPort ? Integer.parseInt(rest.substring(colon + 1).replace("/", "")) : PLAIN_PORT;
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return text;
    }
}
