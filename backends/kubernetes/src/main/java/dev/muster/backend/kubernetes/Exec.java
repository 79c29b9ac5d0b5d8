package dev.muster.backend.kubernetes;

import dev.muster.formats.streams.Incoming;
import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.NotKeptException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.internal.ExecWebSocketListener;
import io.fabric8.kubernetes.client.dsl.internal.PodOperationContext;
import io.fabric8.kubernetes.client.dsl.internal.PodOperationContext.StreamContext;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.utils.URLUtils;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Commands run inside a container, through the API server. The protocol (v4.channel.k8s.io) cannot end standard input, so what reads it has to know
 * its end by itself, as tar does.
 *
 * @param pod       its name
 * @param container its name
 * @param way       is asked before each command, and told whether it could be begun
 */
record Exec(KubernetesClient client, String namespace, String pod, String container, Reach.Way way) {
    private static final long SECONDS = 30;

    /** After the last byte was sent. */
    private static final long UNPACK_SECONDS = 600;

    /** What the streams of all commands are written by, each in its order. */
    private static final Executor SESSIONS = Executors.newVirtualThreadPerTaskExecutor();

    /** Whoever asks knows best when to ask again; the client would do so by itself ten times. */
    private static final RequestConfig ONCE =
            new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();

    private static final int BUFFER = 64 * 1024;
    private static final int LONGEST_COMMAND = 200;

    /** Reads what a command says; returns when it wants no more. */
    interface Sink {
        void from(InputStream output) throws IOException, BackendException;
    }

    Exec(KubernetesClient client, String namespace, String pod, String container) {
        this(client, namespace, pod, container, new Reach().into(pod, Optional::empty));
    }

    /** The same container by a way that others share. */
    Exec by(Reach.Way shared) {
        return new Exec(client, namespace, pod, container, shared);
    }

    /** Runs a short command; its exit code. */
    int run(String... command) throws BackendException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PodOperationContext streams = streams()
                .output(new StreamContext(said))
                .error(new StreamContext(said))
                .build();
        try (ExecWatch watch = open(streams, command)) {
            return code(watch, command, SECONDS);
        } catch (KubernetesClientException answer) {
            throw Failures.of(what(command), answer);
        }
    }

    /** What a command says on its standard output, within so much time. */
    byte[] output(Duration longest, String... command) throws BackendException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PodOperationContext streams = streams().output(new StreamContext(said)).build();
        try (ExecWatch watch = open(streams, command)) {
            code(watch, command, longest.toSeconds());
            return said.toByteArray();
        } catch (KubernetesClientException answer) {
            throw Failures.of(what(command), answer);
        }
    }

    /**
     * Unpacks an archive into a folder of the container. Its length goes first, for a tar that is told of no end waits for it.
     *
     * @param option an option of tar more, empty for none
     */
    void unpack(Parcel parcel, String folder, String option) throws BackendException {
        String[] command = {
            PodPaths.BUSYBOX,
            "sh",
            "-c",
            "head -c " + parcel.bytes() + " | tar -x " + option + " -f - -C " + LaunchText.quote(folder)
        };
        give(parcel::writeTo, UNPACK_SECONDS, command);
    }

    /**
     * Gives a command something on its standard input, of which it has to know the length.
     *
     * @return what it says
     */
    String answer(String input, String... command) throws BackendException {
        return give(stream -> stream.write(input.getBytes(StandardCharsets.UTF_8)), SECONDS, command);
    }

    private interface Source {
        void into(OutputStream input) throws IOException;
    }

    /** @param seconds how long it may take once it has everything */
    private String give(Source source, long seconds, String... command) throws BackendException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PodOperationContext streams = streams()
                .redirectingIn(true)
                .bufferSize(BUFFER)
                .output(new StreamContext(said))
                .error(new StreamContext(said))
                .build();
        try (ExecWatch watch = open(streams, command);
                OutputStream input = watch.getInput()) {
            source.into(input);
            input.flush();
            int code = code(watch, command, seconds);
            String text = said.toString(StandardCharsets.UTF_8).strip();
            if (code != 0) {
                throw new BackendException(
                        Kind.FAILED, Cause.LAUNCH_FAILED, what(command) + ": exit code " + code + " " + text);
            }
            return text;
        } catch (KubernetesClientException answer) {
            throw Failures.of(what(command), answer);
        } catch (IOException | UncheckedIOException broken) {
            throw Failures.noContact(what(command), broken);
        }
    }

    /** What a command says. */
    String text(String... command) throws BackendException {
        StringBuilder said = new StringBuilder();
        read(output -> said.append(new String(output.readAllBytes(), StandardCharsets.UTF_8)), command);
        return said.toString();
    }

    /** Runs a command whose output is read as it comes. */
    void read(Sink sink, String... command) throws BackendException {
        read(sink, watch -> {}, command);
    }

    /**
     * The same.
     *
     * @param opened is given what ends it when closed
     */
    void read(Sink sink, Consumer<Closeable> opened, String... command) throws BackendException {
        PodOperationContext streams = streams().output(new StreamContext()).build();
        try (ExecWatch watch = open(streams, command)) {
            opened.accept(watch);
            watch.exitCode().whenComplete((code, failed) -> endOutput(watch, code, failed));
            // The client's own stream does not bear being asked for no bytes, as readNBytes does at its end.
            read(sink, new Incoming(new BufferedInputStream(watch.getOutput())), command);
        } catch (KubernetesClientException answer) {
            throw Failures.of(what(command), answer);
        } catch (UncheckedIOException broken) {
            throw Failures.noContact(what(command), broken);
        }
    }

    private void read(Sink sink, Incoming output, String[] command) throws BackendException {
        try {
            sink.from(output);
        } catch (IOException problem) {
            throw output.couldNotBeKept(problem)
                    ? new NotKeptException("what pod " + pod + " sent", problem)
                    : Failures.noContact(what(command), problem);
        }
    }

    /** The output of a command that could not be begun has no end by itself. */
    private static void endOutput(ExecWatch watch, Integer code, Throwable failed) {
        if (failed != null || code == null || code != 0) {
            watch.close();
        }
    }

    private PodOperationContext.PodOperationContextBuilder streams() {
        return PodOperationContext.builder().containerId(container);
    }

    /**
     * Begins a command with one request. The client's own {@code exec} lists and asks for the pod before, by an informer of its own, to wait until
     * it is ready and to look for the container: containers asked here are not ready on purpose, and the server itself says what is not there.
     */
    private ExecWatch open(PodOperationContext streams, String[] command) throws BackendException {
        way.check();
        ExecWebSocketListener session =
                new ExecWebSocketListener(streams, SESSIONS, client.getKubernetesSerialization());
        CompletableFuture<WebSocket> opened = client.getHttpClient()
                .newBuilder()
                .tag(ONCE)
                .build()
                .newWebSocketBuilder()
                .subprotocol("v4.channel.k8s.io")
                .uri(address(streams, command))
                .connectTimeout(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS)
                .buildAsync(session);
        opened.whenComplete((socket, failed) -> {
            if (failed != null) {
                session.onError(socket, failed);
            }
        });
        try {
            await(opened, client.getConfiguration().getRequestTimeout(), command);
            way.worked();
            return session;
        } catch (BackendException late) {
            way.failed();
            throw late;
        } catch (ExecutionException failed) {
            throw unopened(what(command), failed.getCause());
        }
    }

    private <T> T await(Future<T> answer, long millis, String[] command) throws BackendException, ExecutionException {
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw Failures.noContact(what(command), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failures.noContact(what(command), interrupted);
        }
    }

    /** A server says with its code alone why it opens no session: the HTTP client keeps nothing of what else it says. */
    private BackendException unopened(String what, Throwable failed) {
        if (!(failed instanceof WebSocketHandshakeException answer)) {
            return Failures.noContact(what, failed);
        }
        int code = answer.getResponse().code();
        return switch (code) {
            case HttpURLConnection.HTTP_NOT_FOUND -> refused(what, code, "there is no such pod");
            case HttpURLConnection.HTTP_FORBIDDEN -> refused(what, code, "commands in pods are forbidden (pods/exec)");
            case HttpURLConnection.HTTP_UNAUTHORIZED -> refused(what, code, "not logged in");
            default -> {
                way.failed();
                yield new BackendException(
                        Kind.NO_CONTACT,
                        Cause.INTERNAL,
                        what + ": the API server does not reach the pod's container (it answered " + code + ")",
                        failed);
            }
        };
    }

    private static BackendException refused(String what, int code, String why) {
        return Failures.of(what, new KubernetesClientException(why, code, null));
    }

    private URI address(PodOperationContext streams, String[] command) {
        String path = "api/v1/namespaces/" + namespace + "/pods/" + pod + "/exec";
        URLUtils.URLBuilder address =
                new URLUtils.URLBuilder(URLUtils.join(client.getMasterUrl().toString(), path));
        for (String word : command) {
            address.addQueryParameter("command", word);
        }
        streams.addQueryParameters(address);
        return URI.create(address.build().toString());
    }

    private int code(ExecWatch watch, String[] command, long seconds) throws BackendException {
        try {
            Integer code = await(watch.exitCode(), TimeUnit.SECONDS.toMillis(seconds), command);
            if (code == null) {
                throw new BackendException(
                        Kind.NO_CONTACT, Cause.INTERNAL, what(command) + ": the connection ended without an answer");
            }
            return code;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KubernetesClientException answer) {
                throw Failures.of(what(command), answer);
            }
            throw Failures.noContact(what(command), failed);
        }
    }

    private String what(String[] command) {
        String text = String.join(" ", command);
        String start = text.length() <= LONGEST_COMMAND ? text : text.substring(0, LONGEST_COMMAND) + "…";
        return "'" + start + "' was run in pod " + pod;
    }
}
