package dev.muster.backend.kubernetes;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A WebSocket that may be given more before it is done with what it was given: it sends one after the other. The JDK's own refuses what comes while the
 * way to the server is slower than who writes, which the client library takes for the end of the connection.
 */
final class SendQueue implements WebSocket {
    private final WebSocket socket;
    private CompletableFuture<WebSocket> last;

    SendQueue(WebSocket socket) {
        this.socket = socket;
        this.last = CompletableFuture.completedFuture(socket);
    }

    private synchronized CompletableFuture<WebSocket> next(Supplier<CompletableFuture<WebSocket>> sending) {
        // After one that failed all others fail by themselves, each with its own reason.
        last = last.handle((sent, failed) -> sent).thenCompose(sent -> sending.get());
        return last.thenApply(sent -> this);
    }

    @Override
    public CompletableFuture<WebSocket> sendText(CharSequence data, boolean whole) {
        return next(() -> socket.sendText(data, whole));
    }

    @Override
    public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean whole) {
        return next(() -> socket.sendBinary(data, whole));
    }

    @Override
    public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
        return next(() -> socket.sendPing(message));
    }

    @Override
    public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
        return next(() -> socket.sendPong(message));
    }

    @Override
    public CompletableFuture<WebSocket> sendClose(int code, String reason) {
        return next(() -> socket.sendClose(code, reason));
    }

    @Override
    public void request(long messages) {
        socket.request(messages);
    }

    @Override
    public String getSubprotocol() {
        return socket.getSubprotocol();
    }

    @Override
    public boolean isOutputClosed() {
        return socket.isOutputClosed();
    }

    @Override
    public boolean isInputClosed() {
        return socket.isInputClosed();
    }

    @Override
    public void abort() {
        socket.abort();
    }

    /** Who listens is given the queue in place of the socket. */
    static final class Hearing implements Listener {
        private final Listener listener;
        private SendQueue queue;

        Hearing(Listener listener) {
            this.listener = listener;
        }

        synchronized SendQueue queue(WebSocket socket) {
            if (queue == null) {
                queue = new SendQueue(socket);
            }
            return queue;
        }

        @Override
        public void onOpen(WebSocket socket) {
            listener.onOpen(queue(socket));
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean whole) {
            return listener.onText(queue(socket), data, whole);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean whole) {
            return listener.onBinary(queue(socket), data, whole);
        }

        @Override
        public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
            return listener.onPing(queue(socket), message);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            return listener.onPong(queue(socket), message);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            return listener.onClose(queue(socket), code, reason);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            listener.onError(queue(socket), error);
        }
    }
}
