package dev.muster.cli.client;

import dev.muster.api.ProblemType;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.URI;
import java.net.UnknownHostException;
import javax.net.ssl.HttpsURLConnection;

/**
 * Sends requests. A request that a dying service did not take, or whose answer was lost and that may be repeated, is sent again to
 * the service that follows; anything else that goes wrong is a {@link Failure}. Any thread may call.
 */
public final class Client {
    private static final int CONNECT_MILLISECONDS = 10_000;
    private static final int MOST_TRIES = 4;

    static {
        // The JDK would otherwise send a POST a second time by itself when the connection breaks.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final ServiceFinder finder;
    private final ServiceTime time = new ServiceTime();

    public Client(ServiceFinder finder) {
        this.finder = finder;
    }

    /** What the service's clock shows. */
    public ServiceTime time() {
        return time;
    }

    /** Sends the request and reads the JSON object that answers it. */
    public JsonFields json(Request request) {
        Endpoint endpoint = finder.find();
        for (int tries = 1; ; tries++) {
            try {
                return exchange(endpoint, request).json();
            } catch (IOException lost) {
                endpoint = next(endpoint, request, lost, tries);
            }
        }
    }

    /** Sends the request; its answer says nothing. */
    public void send(Request request) {
        Endpoint endpoint = finder.find();
        for (int tries = 1; ; tries++) {
            try {
                exchange(endpoint, request).content().close();
                return;
            } catch (IOException lost) {
                endpoint = next(endpoint, request, lost, tries);
            }
        }
    }

    /** Sends the request; the caller reads the content of the answer, whatever time it takes. */
    public Answer open(Request request) {
        Endpoint endpoint = finder.find();
        for (int tries = 1; ; tries++) {
            try {
                return exchange(endpoint, request);
            } catch (IOException lost) {
                endpoint = next(endpoint, request, lost, tries);
            }
        }
    }

    /** Whether a service at this endpoint answers the request well, or that its disk is full, where much can be done still; nothing else is tried. */
    public static boolean answers(Endpoint endpoint, Request request) {
        try {
            exchangeOnce(endpoint, request).content().close();
            return true;
        } catch (Failure told) {
            return told.problem().type().equals(ProblemType.DISK_FULL.urn());
        } catch (IOException not) {
            return false;
        }
    }

    private Answer exchange(Endpoint endpoint, Request request) throws IOException {
        Answer answer = exchangeOnce(endpoint, request);
        time.seen(answer.date());
        return answer;
    }

    private static Answer exchangeOnce(Endpoint endpoint, Request request) throws IOException {
        HttpURLConnection connection = connect(endpoint, request);
        if (request.body().isPresent()) {
            Request.Body body = request.body().get();
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", body.mediaType());
            connection.setFixedLengthStreamingMode(body.length());
            send(connection, body);
        }
        int status = connection.getResponseCode();
        if (status >= 200 && status < 300) {
            return new Answer(connection, connection.getInputStream());
        }
        throw Refusals.read(connection, status);
    }

    private static HttpURLConnection connect(Endpoint endpoint, Request request) throws IOException {
        URI uri = URI.create(endpoint.address() + "/v1" + request.path());
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection secured) {
            endpoint.secured().ifPresent(secured::setSSLSocketFactory);
        }
        connection.setRequestMethod(request.method());
        connection.setConnectTimeout(CONNECT_MILLISECONDS);
        connection.setReadTimeout((int) request.silence().toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", request.accept());
        if (endpoint.token().isPresent()) {
            connection.setRequestProperty(
                    "Authorization", "Bearer " + endpoint.token().get());
        }
        return connection;
    }

    /** A service that refuses early answers before it has read all; its answer then tells more than the broken pipe. */
    private static void send(HttpURLConnection connection, Request.Body body) throws IOException {
        OutputStream out = connection.getOutputStream();
        try {
            body.writeTo(out);
            out.close();
        } catch (Request.UnreadableBodyException unreadable) {
            connection.disconnect();
            throw Failure.badInput(unreadable.getMessage());
        } catch (IOException broken) {
            if (connection.getResponseCode() < 300) {
                throw broken;
            }
        }
    }

    /** Where to send the request next: once more to the same service, then to the one that follows. */
    private Endpoint next(Endpoint endpoint, Request request, IOException lost, int tries) {
        String why = describe(lost);
        boolean neverSent = lost instanceof ConnectException
                || lost instanceof NoRouteToHostException
                || lost instanceof UnknownHostException
                || lost instanceof Refusals.UnavailableException;
        boolean silent = lost instanceof InterruptedIOException && !neverSent;
        if (silent && request.repeatable() && tries == 1) {
            // A machine that is very busy answers late; whoever asks again finds it answering.
            return endpoint;
        }
        if (silent) {
            throw Failure.notReached("the service at " + endpoint + " gave no answer within "
                    + request.silence().multipliedBy(tries).toSeconds() + " s" + wayOut(endpoint) + inDoubt(request));
        }
        if (!neverSent && !request.repeatable()) {
            throw Failure.notReached(
                    "the connection to the service at " + endpoint + " broke (" + why + ")" + inDoubt(request));
        }
        if (!neverSent && tries == 1) {
            return endpoint;
        }
        if (tries == MOST_TRIES) {
            throw Failure.notReached(
                    "the service at " + endpoint + " was not reached: " + why + (neverSent ? "" : inDoubt(request)));
        }
        return finder.findAgain(endpoint, why);
    }

    /** It may have arrived, and a service that was stopped may still take it when it goes on. */
    private static String inDoubt(Request request) {
        return request.doubt()
                .map(look -> "; whether the request was carried out, or will be, is not known: " + look)
                .orElse("");
    }

    private static String wayOut(Endpoint silent) {
        if (silent.pid().isEmpty()) {
            return "; ask who runs it";
        }
        long pid = silent.pid().getAsLong();
        return "; if it was stopped, kill -CONT " + pid + " lets it go on; kill -9 " + pid
                + " ends it, its workers go on, and the next command starts another";
    }

    private static String describe(IOException lost) {
        return switch (lost) {
            case ConnectException refused -> "nothing listens there";
            case UnknownHostException unknown -> "there is no host " + unknown.getMessage();
            default -> lost.getMessage() == null ? lost.getClass().getSimpleName() : lost.getMessage();
        };
    }
}
