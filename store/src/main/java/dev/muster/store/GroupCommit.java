package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * The one writer: a platform thread that puts everything waiting into one transaction, so that many callers share one fsync. Each
 * work stands inside a savepoint: one that fails undoes only itself. A failure of the transaction as a whole rolls all of it back,
 * and then each work gets a transaction of its own, so that again only the one at fault fails.
 */
final class GroupCommit implements AutoCloseable {
    private static final int MOST = 512;
    private static final Request<Void> END = new Request<>(session -> null);

    private final Session session;
    private final Function<SQLException, StoreException> explain;
    private final FullDisk disk;
    private final CommitHook hook;
    private final BlockingQueue<Request<?>> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    private boolean closed;

    /**
     * Takes over the session.
     *
     * @param explain turns a failure of the database into what a caller is told
     * @param disk    makes room when there is none
     * @param hook    called around every commit
     */
    GroupCommit(Session session, Function<SQLException, StoreException> explain, FullDisk disk, CommitHook hook) {
        this.hook = hook;
        this.session = session;
        this.explain = explain;
        this.disk = disk;
        this.thread = Thread.ofPlatform().name("muster-store-writer").daemon().start(this::run);
    }

    /** Returns once the work is durable, or throws what the work threw. An interrupt of the caller does not cut it short. */
    <T> T call(Room room, Work<T> work) {
        Request<T> request = new Request<>(room, work);
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
        while (go) {
            batch.clear();
            batch.add(takeFirst());
            waiting.drainTo(batch, MOST - 1);
            go = !batch.remove(END);
            refuseWhatIsNew(batch);
            if (!batch.isEmpty()) {
                commit(batch);
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

    private void refuseWhatIsNew(List<Request<?>> batch) {
        disk.refusal()
                .ifPresent(full -> batch.removeIf(request -> {
                    boolean isNew = request.room() == Room.FREE;
                    if (isNew) {
                        request.fail(full);
                    }
                    return isNew;
                }));
    }

    private void commit(List<Request<?>> batch) {
        Optional<StoreException> failed = tried(batch);
        if (isFull(failed) && emptiedLog()) {
            failed = tried(batch);
        }
        if (isFull(failed) && batch.size() == 1 && batch.getFirst().room() == Room.KEPT) {
            failed = triedInKeptRoom(batch);
        }
        if (failed.isEmpty()) {
            batch.forEach(Request::tell);
        } else if (batch.size() == 1) {
            batch.getFirst().fail(failed.get());
        } else {
            for (Request<?> request : batch) {
                commit(List.of(request));
            }
        }
    }

    private static boolean isFull(Optional<StoreException> failed) {
        return failed.isPresent() && failed.get().diskFull();
    }

    /** What it took is free again afterwards, as far as it is not new: something else has to be written for the same end. */
    private Optional<StoreException> triedInKeptRoom(List<Request<?>> batch) {
        Optional<StoreException> failed = Optional.empty();
        while (disk.giveUp()) {
            failed = tried(batch);
            if (!isFull(failed)) {
                emptiedLog();
                return failed;
            }
        }
        return tried(batch);
    }

    /** Why the transaction as a whole failed and was rolled back; empty when it is durable. */
    private Optional<StoreException> tried(List<Request<?>> batch) {
        try {
            session.execute("BEGIN IMMEDIATE");
            for (Request<?> request : batch) {
                run(request);
            }
            hook.before();
            session.execute("COMMIT");
            hook.after();
            return Optional.empty();
        } catch (SQLException failed) {
            rollback();
            return Optional.of(explain.apply(failed));
        } catch (RuntimeException | Error broken) {
            // Whatever it is, this thread lives on and nobody waits for ever.
            rollback();
            return Optional.of(
                    new StoreException("a fault in the store: " + broken, StoreException.Kind.OTHER, broken));
        }
    }

    /** A failure of the database itself comes out, one of the work undoes only that and is kept for its caller. */
    private void run(Request<?> request) throws SQLException {
        session.execute("SAVEPOINT work");
        try {
            request.run(session);
        } catch (RuntimeException thrown) {
            session.execute("ROLLBACK TO work");
            request.threw(thrown);
        }
        session.execute("RELEASE work");
    }

    private boolean emptiedLog() {
        try {
            return disk.emptyLog(session);
        } catch (SQLException none) {
            return false;
        }
    }

    private void rollback() {
        try {
            session.execute("ROLLBACK");
        } catch (SQLException alreadyDone) {
            // SQLite ends the transaction by itself after some failures.
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
        try {
            session.close();
        } catch (SQLException ignored) {
            // Everything acknowledged is durable already.
        }
    }
}
