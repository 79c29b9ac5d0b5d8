package dev.muster.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Tells replicas of each other's changes by LISTEN and NOTIFY. A change is told of after its commit and apart from it, since commits that
 * notify wait for each other; so one may be committed and never told of, and every few seconds the versions of all live jobs are
 * compared too.
 */
final class PostgresNews implements AutoCloseable {
    private static final String CHANNEL = "muster_job";
    private static final int IDS_AT_ONCE = 100;
    private static final int LOOK_MILLIS = 1_000;
    private static final long COMPARE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final String LIVE = "select id, version from job where state not in " + SqlJobStore.FINAL;

    private final String self;
    private final PostgresWriter.Source own;
    private final PostgresWriter.Source pooled;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> untold = new LinkedBlockingQueue<>();

    /** Versions of live jobs as this replica knows them. */
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    private final Thread teller;
    private final Thread listener;
    private volatile boolean closed;

    /**
     * @param own    gives a connection to keep
     * @param pooled gives one for a moment
     */
    PostgresNews(String self, PostgresWriter.Source own, PostgresWriter.Source pooled) {
        this.self = self;
        this.own = own;
        this.pooled = pooled;
        this.teller = Thread.ofPlatform().name("muster-store-tells").daemon().start(this::tellOthers);
        this.listener = Thread.ofPlatform().name("muster-store-hears").daemon().unstarted(this::hear);
    }

    /** This replica has changed a job. Returns at once. */
    void wrote(String id, long version, boolean over) {
        if (over) {
            known.remove(id);
        } else {
            known.merge(id, version, Math::max);
        }
        untold.add(id);
    }

    void listen(Consumer<String> changed) {
        listeners.add(changed);
        synchronized (listener) {
            if (listener.getState() == Thread.State.NEW) {
                try (Connection connection = pooled.open()) {
                    known.putAll(live(connection));
                } catch (SQLException unreached) {
                    // Then the first comparison tells of every live job.
                }
                listener.start();
            }
        }
    }

    private void tellOthers() {
        Set<String> ids = new LinkedHashSet<>();
        while (!closed) {
            try {
                ids.add(untold.take());
                while (ids.size() < IDS_AT_ONCE && !untold.isEmpty()) {
                    ids.add(untold.take());
                }
                notifyOf(ids);
                ids.clear();
            } catch (InterruptedException closing) {
                return;
            } catch (SQLException unreached) {
                ids.clear(); // the others find it by comparing
            }
        }
    }

    private void notifyOf(Set<String> ids) throws SQLException {
        try (Connection connection = pooled.open();
                PreparedStatement tell = connection.prepareStatement("select pg_notify(?, ?)")) {
            tell.setString(1, CHANNEL);
            tell.setString(2, self + " " + String.join(" ", ids));
            tell.execute();
            connection.commit();
        }
    }

    private void hear() {
        while (!closed) {
            try (Connection connection = own.open();
                    Statement statement = connection.createStatement()) {
                statement.execute("listen " + CHANNEL);
                hear(connection);
            } catch (SQLException lost) {
                pause();
            }
        }
    }

    /** Returns only when the store is closed. */
    private void hear(Connection connection) throws SQLException {
        PGConnection notified = connection.unwrap(PGConnection.class);
        long compared = System.nanoTime() - COMPARE_NANOS;
        while (!closed) {
            if (System.nanoTime() - compared >= COMPARE_NANOS) {
                compare(connection);
                compared = System.nanoTime();
            }
            PGNotification[] heard = notified.getNotifications(LOOK_MILLIS);
            for (PGNotification each : heard == null ? new PGNotification[0] : heard) {
                take(each.getParameter());
            }
        }
    }

    private void take(String message) {
        String[] words = message.split(" ");
        if (!words[0].equals(self)) {
            for (int i = 1; i < words.length; i++) {
                tell(words[i]);
            }
        }
    }

    private void compare(Connection connection) throws SQLException {
        Map<String, Long> before = new HashMap<>(known);
        Map<String, Long> live = live(connection);
        live.forEach((id, version) -> {
            if (known.merge(id, version, Math::max).equals(version) && !version.equals(before.get(id))) {
                tell(id);
            }
        });
        Set<String> over = new HashSet<>(before.keySet());
        over.removeAll(live.keySet());
        for (String id : over) {
            if (known.remove(id) != null) {
                tell(id);
            }
        }
    }

    private static Map<String, Long> live(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(LIVE)) {
            Map<String, Long> live = new HashMap<>();
            while (rows.next()) {
                live.put(rows.getString(1), rows.getLong(2));
            }
            return live;
        }
    }

    private void tell(String id) {
        listeners.forEach(each -> each.accept(id));
    }

    private void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException closing) {
            // The loop sees that it is closed.
        }
    }

    @Override
    public void close() {
        closed = true;
        teller.interrupt();
        listener.interrupt();
        boolean interrupted = false;
        for (Thread thread : List.of(teller, listener)) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(3));
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
