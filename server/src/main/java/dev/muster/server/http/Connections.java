package dev.muster.server.http;

import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every connection that is open, and what it waits for: closes those whose client takes too long over TLS or the head of a request,
 * which a time limit for each read does not see, and those whose client does not read its answer, for which there is none. Where many are
 * open, it closes those that are waited for longest to make room for new ones, so that nobody is kept out by clients that send nothing.
 * Learns of new ones as the options that the listener puts on their sockets. Any thread may call.
 */
final class Connections implements SocketOptions, AutoCloseable {
    private static final Logger LOG = System.getLogger(Connections.class.getName());
    private static final int LOOKS = 4;

    private final SocketOptions options;
    private final Patience patience;
    private final int most;
    private final CutOffs cutOffs = new CutOffs();
    private final Map<SocketAddress, Connection> open = new ConcurrentHashMap<>();
    private final Thread thread;

    /**
     * @param until when, by {@link System#nanoTime}, its client must have sent a whole head, or taken what it is sent; empty while it is not waited for
     * @param asks  whether a request is there that is not answered yet
     */
    private record Connection(SocketChannel channel, Optional<Long> until, boolean asks) {
        boolean isLate() {
            return until.isPresent() && System.nanoTime() - until.get() > 0;
        }
    }

    /** @param most how many may be open before one that asks nothing has to go for each new one */
    Connections(Patience patience, int most) {
        this.most = most;
        this.patience = patience;
        this.options = SocketOptions.builder().readTimeout(patience.silence()).build();
        this.thread = Thread.ofPlatform().daemon().name("muster-slow-clients").start(this::run);
    }

    @Override
    public void configureSocket(SocketChannel channel) {
        options.configureSocket(channel);
        try {
            open.put(channel.getRemoteAddress(), new Connection(channel, Optional.of(in(patience.head())), false));
            makeRoom();
        } catch (IOException gone) {
            // Nobody is there to wait for.
            return;
        }
    }

    /** Whoever is served now was not waited for long, and who waits for an answer is left alone. */
    private synchronized void makeRoom() {
        if (open.size() <= most) {
            return;
        }
        open.entrySet().removeIf(each -> !each.getValue().channel().isOpen());
        if (open.size() > most) {
            open.entrySet().stream()
                    .filter(each ->
                            !each.getValue().asks() && each.getValue().until().isPresent())
                    .min(Comparator.comparingLong(
                            each -> each.getValue().until().get() - System.nanoTime()))
                    .ifPresent(longest -> {
                        cut(longest.getKey(), longest.getValue());
                        cutOffs.toldOf(most);
                    });
        }
    }

    private static long in(Duration duration) {
        return System.nanoTime() + duration.toNanos();
    }

    /** The head of a request is there. */
    void answering(SocketAddress client) {
        waits(client, Optional.empty(), true);
    }

    /** The head of a request is there, and its answer on the way. */
    AnswerStream.Reading reading(SocketAddress client) {
        return new AnswerStream.Reading() {
            @Override
            public void begins() {
                waits(client, Optional.of(in(patience.silence())), true);
            }

            @Override
            public void ends() {
                waits(client, Optional.empty(), true);
            }
        };
    }

    private void waits(SocketAddress client, Optional<Long> until, boolean asks) {
        open.computeIfPresent(client, (key, known) -> new Connection(known.channel(), until, asks));
    }

    /** It was answered, and the next may come. */
    void answered(SocketAddress client) {
        waits(client, Optional.of(in(patience.idle().plus(patience.head()))), false);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(patience.head().dividedBy(LOOKS));
                open.forEach((client, connection) -> {
                    if (!connection.channel().isOpen()) {
                        open.remove(client, connection);
                    } else if (connection.isLate()) {
                        cut(client, connection);
                    }
                });
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void cut(SocketAddress client, Connection connection) {
        if (open.remove(client, connection)) {
            LOG.log(
                    Level.DEBUG,
                    "cut off " + client
                            + ", which takes too long over the head of a request, or does not read its answer");
            try {
                connection.channel().close();
            } catch (IOException closing) {
                LOG.log(Level.DEBUG, "closing the connection of " + client + " failed", closing);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return options.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return options.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return options.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return options.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return options.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return options.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return options.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return options.tcpNoDelay();
    }
}
