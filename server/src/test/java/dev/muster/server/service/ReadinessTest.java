package dev.muster.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.http.ErrorAnswers;
import dev.muster.server.http.Listener;
import dev.muster.testkit.FakeJobStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final AtomicLong free = new AtomicLong(17L << 20);

    @Test
    void noJobsAreTakenOnAFullDisk() throws Exception {
        Readiness readiness = new Readiness(new Intake(), new FakeJobStore(), free::get);
        try (Listener listener = Listener.open(Listener.loopback(), Optional.empty(), new ErrorAnswers(readiness));
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + "/"))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(204);
            free.set(3L << 20);
            HttpResponse<String> full = client.send(request, BodyHandlers.ofString());
            assertThat(full.statusCode()).isEqualTo(507);
            assertThat(full.body()).contains("urn:muster:disk-full", "3072 KiB left");
        }
    }
}
