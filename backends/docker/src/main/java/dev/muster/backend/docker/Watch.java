package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hears from dockerd's events that a container of this home began or ended, and looks now and then whether those that run have joined. Both
 * threads begin with the first job.
 */
final class Watch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Watch.class.getName());
    private static final long LOOK_MILLIS = 200;
    private static final long SELDOM_MILLIS = 2_000;
    private static final int OFTEN = 150;
    private static final long AGAIN_MILLIS = 1_000;

    private final DockerApi api;
    private final JoinProbe probe;
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final Map<ProcessKey, Joining> joining = new ConcurrentHashMap<>();
    private final Set<ProcessKey> joined = ConcurrentHashMap.newKeySet();
    private final Set<ProcessKey> died = ConcurrentHashMap.newKeySet();
    private final Set<JobId> known = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private List<Thread> threads = List.of();

    /** A running attempt that has not shown yet that it joined. */
    private static final class Joining {
        private final Found container;
        private final long pid;
        private int looks;

        Joining(Found container, long pid) {
            this.container = container;
            this.pid = pid;
        }
    }

    Watch(DockerApi api) {
        this.api = api;
        this.probe = new JoinProbe(api);
    }

    void add(Consumer<JobId> listener) {
        listeners.add(listener);
    }

    /** Begins, unless it has. */
    synchronized void begin(String home) {
        if (threads.isEmpty() && !closed) {
            threads = List.of(
                    Thread.ofVirtual().name("docker-events").start(() -> hear(home)),
                    Thread.ofVirtual().name("docker-joins").start(this::look));
        }
    }

    /** The attempt runs; whether it has joined. */
    boolean runs(Found container, long pid) {
        ProcessKey key = container.key();
        known.add(key.job());
        if (container.label(Names.JOIN).equals("started") || joined.contains(key)) {
            return true;
        }
        joining.computeIfAbsent(key, added -> new Joining(container, pid));
        return false;
    }

    /** Whether dockerd has told that the attempt's container ended, which it does before its list of containers says so. */
    boolean hasDied(ProcessKey key) {
        return died.contains(key);
    }

    /** The attempt is over. */
    void isOver(ProcessKey key) {
        died.remove(key);
        joining.remove(key);
        joined.remove(key);
    }

    void forget(JobId job) {
        known.remove(job);
        joining.keySet().removeIf(key -> key.job().equals(job));
        joined.removeIf(key -> key.job().equals(job));
        died.removeIf(key -> key.job().equals(job));
    }

    void tell(JobId job) {
        for (Consumer<JobId> listener : listeners) {
            try {
                listener.accept(job);
            } catch (RuntimeException theirs) {
                LOG.log(Level.WARNING, "a listener of changes failed", theirs);
            }
        }
    }

    private void hear(String home) {
        ObjectNode filters = DockerApi.object();
        filters.putArray("type").add("container");
        filters.putArray("label").add(Names.is(Names.HOME, home));
        var events = filters.putArray("event");
        List.of("start", "die", "oom", "destroy", "pause", "unpause").forEach(events::add);
        String path = "/events?filters=" + DockerApi.encode(filters.toString());
        while (!closed) {
            try {
                api.stream(path, DockerApi.ENDLESS, body -> {
                    // What happened before the connection stood was not told.
                    known.forEach(this::tell);
                    BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                    for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                        JsonNode event = DockerApi.parse(line);
                        JsonNode labels = event.path("Actor").path("Attributes");
                        if (event.path("Action").asString("").equals("die")) {
                            died(labels);
                        }
                        Names.job(labels).ifPresent(this::tell);
                    }
                    return null;
                });
            } catch (BackendException | Refusal | RuntimeException broken) {
                LOG.log(Level.DEBUG, "dockerd's events broke off", broken);
            }
            pause(AGAIN_MILLIS);
        }
    }

    /** The attempt that its container was made for, or whose name it was given. */
    private void died(JsonNode labels) {
        Names.key(labels).filter(key -> known.contains(key.job())).ifPresent(made -> {
            died.add(made);
            Names.named(made.job(), labels.path("name").asString("")).ifPresent(died::add);
        });
    }

    private void look() {
        while (!closed) {
            joining.forEach(this::look);
            pause(LOOK_MILLIS);
        }
    }

    private void look(ProcessKey key, Joining attempt) {
        attempt.looks++;
        boolean now = attempt.looks < OFTEN || attempt.looks % (SELDOM_MILLIS / LOOK_MILLIS) == 0;
        try {
            if (now && probe.isThere(attempt.container, attempt.container.label(Names.JOIN), attempt.pid)) {
                joined.add(key);
                joining.remove(key);
                tell(key.job());
            }
        } catch (BackendException | RuntimeException later) {
            LOG.log(Level.DEBUG, "whether " + key + " has joined is not seen", later);
        }
    }

    private void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException ending) {
            closed = true;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
