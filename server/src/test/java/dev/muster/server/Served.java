package dev.muster.server;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.access.Callers;
import dev.muster.server.access.OneToken;
import dev.muster.server.config.SettingException;
import dev.muster.server.home.HomeException;
import dev.muster.server.home.MusterHome;
import dev.muster.server.service.Front;
import dev.muster.server.service.Parts;
import dev.muster.server.service.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A service over SQLite and real local processes, and a client that has its token. */
final class Served implements AutoCloseable {
    private static final OpenApi OPEN_API = new OpenApi();

    final MusterHome home;
    final Parts parts;
    final Service service;
    final String token;
    final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();

    Served(Path folder) {
        this(folder, Map.of());
    }

    /** @param more variables of the service over those of this process */
    Served(Path folder, Map<String, String> more) {
        this(folder, more, home -> new OneToken(home, "ann"));
    }

    /** @param callers knows tokens, none of which this client has */
    Served(Path folder, Map<String, String> more, Callers callers) {
        this(folder, more, home -> callers);
    }

    private Served(Path folder, Map<String, String> more, Function<String, Callers> callers) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("MUSTER_CAPACITY", "cpus=8,memory=8GiB,processes=8");
        environment.putAll(more);
        try {
            home = MusterHome.take(folder).orElseThrow();
            parts = Wiring.open(home.folder(), environment);
            service = Service.start(home, parts, Front.ofOne(home, callers.apply(home.token())), "test-build");
            token = home.token();
            service.announce();
        } catch (IOException | HomeException | SettingException failed) {
            throw new IllegalStateException(failed);
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(service.address() + path))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer " + token);
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    HttpResponse<String> put(String path, byte[] body) {
        BodyPublisher bytes = BodyPublishers.ofByteArray(body);
        return send(request(path).header("Content-Type", "application/x-tar").PUT(bytes));
    }

    /** Sends it, and holds the answer against the description of the API. */
    HttpResponse<String> send(HttpRequest.Builder request) {
        HttpResponse<String> answer = send(request, BodyHandlers.ofString());
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        String method = answer.request().method();
        if (type.endsWith("json") && !method.equals("HEAD") && answer.statusCode() != 405) {
            OPEN_API.path(answer.request().uri().getPath()).ifPresent(path -> {
                List<String> problems = OPEN_API.problems(method, path, answer.statusCode(), type, answer.body());
                if (!problems.isEmpty()) {
                    throw new AssertionError(method + " " + path + " answers against its description: " + problems);
                }
            });
        }
        return answer;
    }

    <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        try {
            return client.send(request.build(), handler);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Hands a job text in and gives its id. */
    String submit(String text) {
        HttpResponse<String> answer = post("/v1/jobs", jobRequest(text).toString());
        if (answer.statusCode() != 201) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return json(answer).text("id");
    }

    static JsonFields jobRequest(String text) {
        return Json.object()
                .put("text", text)
                .put("folder", "/tmp")
                .put("path", "/usr/bin:/bin")
                .build();
    }

    static JsonFields json(HttpResponse<String> answer) {
        return (JsonFields) Json.parse(answer.body());
    }

    /** A job of one shell command. */
    static String shell(String name, String command) {
        return "{\"name\":\"" + name + "\",\"framework\":\"plain\",\"grace\":\"2s\",\"command\":[\"sh\",\"-c\","
                + Json.of(command) + "]}";
    }

    /** The job once it is in that state. */
    JsonFields await(String job, String state) {
        return await(job, document -> document.text("state").equals(state));
    }

    JsonFields await(String job, Function<JsonFields, Boolean> condition) {
        AtomicReference<JsonFields> seen = new AtomicReference<>();
        until(() -> {
            seen.set(json(get("/v1/jobs/" + job)));
            return condition.apply(seen.get());
        });
        return seen.get();
    }

    /** Looks again and again until it holds, for two minutes at most: the machine may be busy. */
    static void until(Callable<Boolean> condition) {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        try {
            while (!condition.call()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("it did not come about in time");
                }
                Thread.sleep(20);
            }
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        client.close();
        service.close();
    }
}
