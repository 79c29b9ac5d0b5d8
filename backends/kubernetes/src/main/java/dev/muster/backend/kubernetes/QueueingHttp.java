package dev.muster.backend.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Has the client library use WebSockets with a {@link SendQueue}; all else is the JDK's HTTP client as the library sets it up. */
final class QueueingHttp extends JdkHttpClientFactory {
    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return new Builder(super.createNewHttpClientBuilder());
    }

    private record Builder(HttpClient.Builder of) implements HttpClient.Builder {
        @Override
        public HttpClient.Builder cookieHandler(CookieHandler handler) {
            return new Builder(of.cookieHandler(handler));
        }

        @Override
        public HttpClient.Builder connectTimeout(Duration most) {
            return new Builder(of.connectTimeout(most));
        }

        @Override
        public HttpClient.Builder sslContext(SSLContext context) {
            return new Builder(of.sslContext(context));
        }

        @Override
        public HttpClient.Builder sslParameters(SSLParameters parameters) {
            return new Builder(of.sslParameters(parameters));
        }

        @Override
        public HttpClient.Builder executor(Executor executor) {
            return new Builder(of.executor(executor));
        }

        @Override
        public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
            return new Builder(of.followRedirects(policy));
        }

        @Override
        public HttpClient.Builder version(HttpClient.Version version) {
            return new Builder(of.version(version));
        }

        @Override
        public HttpClient.Builder priority(int priority) {
            return new Builder(of.priority(priority));
        }

        @Override
        public HttpClient.Builder proxy(ProxySelector selector) {
            return new Builder(of.proxy(selector));
        }

        @Override
        public HttpClient.Builder authenticator(Authenticator authenticator) {
            return new Builder(of.authenticator(authenticator));
        }

        @Override
        public HttpClient build() {
            return new Client(of.build());
        }
    }

    private record Sockets(WebSocket.Builder of) implements WebSocket.Builder {
        @Override
        public WebSocket.Builder header(String name, String value) {
            return new Sockets(of.header(name, value));
        }

        @Override
        public WebSocket.Builder connectTimeout(Duration most) {
            return new Sockets(of.connectTimeout(most));
        }

        @Override
        public WebSocket.Builder subprotocols(String preferred, String... others) {
            return new Sockets(of.subprotocols(preferred, others));
        }

        @Override
        public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
            SendQueue.Hearing hearing = new SendQueue.Hearing(listener);
            return of.buildAsync(uri, hearing).thenApply(hearing::queue);
        }
    }

    private static final class Client extends HttpClient {
        private final HttpClient of;

        Client(HttpClient of) {
            this.of = of;
        }

        @Override
        public WebSocket.Builder newWebSocketBuilder() {
            return new Sockets(of.newWebSocketBuilder());
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return of.cookieHandler();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return of.connectTimeout();
        }

        @Override
        public Redirect followRedirects() {
            return of.followRedirects();
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return of.proxy();
        }

        @Override
        public SSLContext sslContext() {
            return of.sslContext();
        }

        @Override
        public SSLParameters sslParameters() {
            return of.sslParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return of.authenticator();
        }

        @Override
        public Version version() {
            return of.version();
        }

        @Override
        public Optional<Executor> executor() {
            return of.executor();
        }

        @Override
        public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
                throws IOException, InterruptedException {
            return of.send(request, handler);
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, HttpResponse.BodyHandler<T> handler) {
            return of.sendAsync(request, handler);
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> promises) {
            return of.sendAsync(request, handler, promises);
        }

        @Override
        public void shutdown() {
            of.shutdown();
        }

        @Override
        public boolean awaitTermination(Duration most) throws InterruptedException {
            return of.awaitTermination(most);
        }

        @Override
        public boolean isTerminated() {
            return of.isTerminated();
        }

        @Override
        public void shutdownNow() {
            of.shutdownNow();
        }

        @Override
        public void close() {
            of.close();
        }
    }
}
