package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * One writer: a platform thread that puts what waits into one transaction, so that many callers share one commit. There are no savepoints,
 * which would cost two round trips a work: when one fails, all is rolled back and each is done in a transaction of its own. A failed
 * commit is not done again, as it may have come through; all who wait for it are told so.
 *
 * <p>While many call, it waits a moment for more before it begins: a transaction costs both sides about as much as what is done in it, and who
 * comes one after the other would pay for one each. A single caller waits for nobody.
 */
final class PostgresWriter implements AutoCloseable {
    private static final int MOST = 128;
    private static final int TRIES = 3;
    private static final long GATHERING = 2_000_000;
    private static final int MANY = 3;
    private static final Request<Void> END = new Request<>(session -> null);

    private final Source source;
    private final Function<Connection, Session> sessions;
    private final PostgresFaults faults;
    private final CommitHook hook;
    private final BlockingQueue<Request<?>> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    private boolean closed;

    /** Gives a connection for one transaction. */
    @FunctionalInterface
    interface Source {
        Connection open() throws SQLException;
    }

    PostgresWriter(
            int number, Source source, Function<Connection, Session> sessions, PostgresFaults faults, CommitHook hook) {
        this.hook = hook;
        this.source = source;
        this.sessions = sessions;
        this.faults = faults;
        this.thread = Thread.ofPlatform()
                .name("muster-store-writer-" + number)
                .daemon()
                .start(this::run);
    }

    /** Returns once the work is durable, or throws what the work threw. An interrupt of the caller does not cut it short. */
    <T> T call(Work<T> work) {
        Request<T> request = new Request<>(work);
        synchronized (waiting) {
            if (closed) {
                throw new StoreException("the store is closed", StoreException.Kind.OTHER, null);
            }
            waiting.add(request);
        }
        return request.answer();
    }

    private void run() {
        List<Request<?>> batch = new ArrayList<>();
        boolean go = true;
        boolean many = false;
        while (go) {
            batch.clear();
            batch.add(takeFirst());
            if (many) {
                LockSupport.parkNanos(GATHERING);
            }
            waiting.drainTo(batch, MOST - 1);
            many = batch.size() >= MANY;
            go = !batch.remove(END);
            if (!batch.isEmpty() && !committed(batch)) {
                eachAlone(batch);
            }
        }
    }

    private Request<?> takeFirst() {
        while (true) {
            try {
                return waiting.take();
            } catch (InterruptedException nobodyShould) {
                // Only close() ends this thread.
            }
        }
    }

    /** Whether all who wait for this batch have been told. */
    private boolean committed(List<Request<?>> batch) {
        try (Connection connection = source.open()) {
            Session session = sessions.apply(connection);
            try {
                for (Request<?> request : batch) {
                    request.run(session);
                }
            } catch (SQLException | RuntimeException | Error failed) {
                rollback(connection);
                return false;
            }
            commit(connection, batch);
        } catch (SQLException unreached) {
            batch.forEach(request -> request.fail(faults.explain(unreached)));
        }
        return true;
    }

    private void commit(Connection connection, List<Request<?>> batch) {
        try {
            hook.before();
            connection.commit();
            hook.after();
        } catch (SQLException unanswered) {
            batch.forEach(request -> request.fail(faults.unknown(unanswered)));
            return;
        }
        batch.forEach(Request::tell);
    }

    private void eachAlone(List<Request<?>> batch) {
        for (int done = 0; done < batch.size(); done++) {
            Optional<StoreException> unreached = alone(batch.get(done));
            if (unreached.isPresent()) {
                // Each of the others would wait as long for a connection, and in vain.
                batch.subList(done + 1, batch.size()).forEach(request -> request.fail(unreached.get()));
                return;
            }
        }
    }

    /** Answers why there is no connection to be had; empty when there was one, whatever came of the request. */
    private Optional<StoreException> alone(Request<?> request) {
        for (int left = TRIES - 1; ; left--) {
            try (Connection connection = source.open()) {
                try {
                    request.run(sessions.apply(connection));
                } catch (RuntimeException refused) {
                    rollback(connection);
                    request.fail(refused);
                    return Optional.empty();
                } catch (Error broken) {
                    // Whatever it is, this thread lives on and nobody waits for ever.
                    rollback(connection);
                    request.fail(
                            new StoreException("a fault in the store: " + broken, StoreException.Kind.OTHER, broken));
                    return Optional.empty();
                } catch (SQLException failed) {
                    rollback(connection);
                    if (left > 0 && PostgresFaults.isWorthAnotherTry(failed)) {
                        continue;
                    }
                    request.fail(faults.explain(failed));
                    return Optional.empty();
                }
                commit(connection, List.of(request));
                return Optional.empty();
            } catch (SQLException unreached) {
                StoreException told = faults.explain(unreached);
                request.fail(told);
                return Optional.of(told);
            }
        }
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException lost) {
            // The server rolls back what was begun through a connection that is gone.
        }
    }

    /** Everything handed in before is still done. */
    @Override
    public void close() {
        synchronized (waiting) {
            if (!closed) {
                closed = true;
                waiting.add(END);
            }
        }
        Ending.await(thread);
    }
}
