package dev.muster.server.measure;

import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.spi.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests and how long each waited for its answer to begin; a stream may go on for days after that. Labels are routes, methods
 * and statuses that there are, so that nobody can make more of them by asking for odd things.
 */
public final class Requests {
    private static final String OTHER = "other";
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");
    /** Upper bounds in seconds. */
    private static final List<Double> BOUNDS = List.of(0.005, 0.02, 0.1, 0.5, 2.0, 10.0);

    private final Clock clock;
    private final Map<List<String>, LongAdder> answered = new ConcurrentHashMap<>();
    private final Map<String, Waits> waits = new ConcurrentHashMap<>();
    private final AtomicInteger underWay = new AtomicInteger();

    public Requests(Clock clock) {
        this.clock = clock;
    }

    /** The handler, with its requests counted. */
    public Handler around(Handler inside) {
        return (exchange, variables) -> handle(inside, exchange, variables);
    }

    /** How long requests of one route waited. */
    private static final class Waits {
        private final List<LongAdder> within =
                BOUNDS.stream().map(bound -> new LongAdder()).toList();
        private final LongAdder count = new LongAdder();
        private final LongAdder micros = new LongAdder();

        void add(Duration wait) {
            double seconds = wait.toNanos() / 1e9;
            for (int index = 0; index < BOUNDS.size(); index++) {
                if (seconds <= BOUNDS.get(index)) {
                    within.get(index).increment();
                }
            }
            micros.add(wait.toNanos() / 1000);
            count.increment();
        }
    }

    private void handle(Handler inside, Exchange exchange, PathVariables variables) throws IOException {
        Instant begun = clock.now();
        underWay.incrementAndGet();
        exchange.note().whenAnswered(() -> count(exchange, begun));
        try {
            inside.handle(exchange, variables);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private void count(Exchange exchange, Instant begun) {
        String route = exchange.note().route().orElse(OTHER);
        String method = METHODS.contains(exchange.method()) ? exchange.method() : OTHER;
        answered.computeIfAbsent(
                        List.of(route, method, Integer.toString(exchange.note().status())), key -> new LongAdder())
                .increment();
        waits.computeIfAbsent(route, key -> new Waits()).add(Duration.between(begun, clock.now()));
    }

    void writeTo(Exposition out) {
        out.metric("muster_http_requests_total", "counter", "Requests answered.");
        new TreeMap<>(byText(answered)).forEach((key, count) -> {
            String[] words = key.split(" ");
            out.sample(
                    "muster_http_requests_total",
                    labels("route", words[0], "method", words[1], "status", words[2]),
                    count);
        });
        String wait = "muster_http_wait_seconds";
        out.metric(wait, "histogram", "From a request to the beginning of its answer.");
        new TreeMap<>(waits).forEach((route, times) -> {
            for (int index = 0; index < BOUNDS.size(); index++) {
                out.sample(
                        wait + "_bucket",
                        labels("route", route, "le", BOUNDS.get(index).toString()),
                        times.within.get(index).sum());
            }
            out.sample(wait + "_bucket", labels("route", route, "le", "+Inf"), times.count.sum());
            out.sample(wait + "_sum", labels("route", route), times.micros.sum() / 1e6);
            out.sample(wait + "_count", labels("route", route), times.count.sum());
        });
        out.metric("muster_http_requests_under_way", "gauge", "Requests being answered, streams included.")
                .sample("muster_http_requests_under_way", Map.of(), underWay.get());
    }

    private static Map<String, Double> byText(Map<List<String>, LongAdder> counts) {
        Map<String, Double> byText = new TreeMap<>();
        counts.forEach((key, count) -> byText.put(String.join(" ", key), (double) count.sum()));
        return byText;
    }

    static Map<String, String> labels(String... namesAndValues) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int index = 0; index < namesAndValues.length; index += 2) {
            labels.put(namesAndValues[index], namesAndValues[index + 1]);
        }
        return labels;
    }
}
