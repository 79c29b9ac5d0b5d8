package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    /** As the JDK's: refuses what comes before it is done with the one before. */
    private static final class Slow implements WebSocket {
        private final List<String> sent = new ArrayList<>();
        private final Deque<CompletableFuture<WebSocket>> pending = new ArrayDeque<>();

        private CompletableFuture<WebSocket> take(String what) {
            if (!pending.isEmpty()) {
                return CompletableFuture.failedFuture(new IllegalStateException("Send pending"));
            }
            sent.add(what);
            pending.add(new CompletableFuture<>());
            return pending.peek();
        }

        void done() {
            pending.remove().complete(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
            return take(Byte.toString(data.get(0)));
        }

        @Override
        public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
            return take(data.toString());
        }

        @Override
        public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
            return take("ping");
        }

        @Override
        public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
            return take("pong");
        }

        @Override
        public CompletableFuture<WebSocket> sendClose(int code, String reason) {
            return take("close");
        }

        @Override
        public void request(long n) {}

        @Override
        public String getSubprotocol() {
            return "";
        }

        @Override
        public boolean isOutputClosed() {
            return false;
        }

        @Override
        public boolean isInputClosed() {
            return false;
        }

        @Override
        public void abort() {}
    }

    private final Slow slow = new Slow();
    private final SendQueue queue = new SendQueue(slow);

    private CompletableFuture<WebSocket> send(int number) {
        return queue.sendBinary(ByteBuffer.wrap(new byte[] {(byte) number}), true);
    }

    @Test
    void whatComesMeanwhileIsSentAfterwardsInOrder() {
        List<CompletableFuture<WebSocket>> all = List.of(send(1), send(2), send(3), queue.sendClose(1000, ""));
        assertThat(slow.sent).containsExactly("1");
        assertThat(all).noneMatch(CompletableFuture::isDone);
        slow.done();
        assertThat(all.getFirst()).isCompletedWithValue(queue);
        assertThat(slow.sent).containsExactly("1", "2");
        slow.done();
        slow.done();
        slow.done();
        assertThat(slow.sent).containsExactly("1", "2", "3", "close");
        assertThat(all).allMatch(sent -> sent.isDone() && !sent.isCompletedExceptionally());
    }

    @Test
    void oneThatFailsHoldsUpNobody() {
        CompletableFuture<WebSocket> first = send(1);
        CompletableFuture<WebSocket> second = send(2);
        slow.pending.remove().completeExceptionally(new IllegalStateException("broken"));
        assertThat(first).isCompletedExceptionally();
        slow.done();
        assertThat(second).isCompletedWithValue(queue);
    }

    @Test
    void whoListensIsGivenTheQueue() {
        List<WebSocket> heard = new ArrayList<>();
        SendQueue.Hearing hearing = new SendQueue.Hearing(new WebSocket.Listener() {
            @Override
            public void onOpen(WebSocket socket) {
                heard.add(socket);
            }

            @Override
            public void onError(WebSocket socket, Throwable error) {
                heard.add(socket);
            }
        });
        hearing.onOpen(slow);
        hearing.onError(slow, new IllegalStateException());
        assertThat(heard).containsExactly(hearing.queue(slow), hearing.queue(slow));
        assertThat(heard.getFirst()).isInstanceOf(SendQueue.class);
    }
}
