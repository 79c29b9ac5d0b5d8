package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** A few read-only connections, opened when first needed; a caller that finds all in use waits. */
final class Readers implements AutoCloseable {
    private static final int MOST = 4;
    private final Opener opener;
    private final Function<SQLException, RuntimeException> explain;
    private final Semaphore free = new Semaphore(MOST, true);
    private final Deque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(Opener opener, Function<SQLException, RuntimeException> explain) {
        this.opener = opener;
        this.explain = explain;
    }

    /** Opens a read-only connection. */
    @FunctionalInterface
    interface Opener {
        Session open() throws SQLException;
    }

    <T> T call(Work<T> work) {
        free.acquireUninterruptibly();
        try {
            if (closed) {
                throw new StoreException("the store is closed", StoreException.Kind.OTHER, null);
            }
            Session session = idle.pollFirst();
            if (session == null) {
                session = opener.open();
            }
            boolean whole = false;
            try {
                session.execute("BEGIN");
                T result = work.in(session);
                session.execute("COMMIT");
                whole = true;
                return result;
            } finally {
                giveBack(session, whole);
            }
        } catch (SQLException failed) {
            throw explain.apply(failed);
        } finally {
            free.release();
        }
    }

    /** A session in doubt is closed: that ends its transaction. */
    private void giveBack(Session session, boolean whole) throws SQLException {
        if (whole && !closed) {
            idle.addFirst(session);
        } else {
            session.close();
        }
    }

    /** Waits for reads under way. */
    @Override
    public void close() {
        closed = true;
        free.acquireUninterruptibly(MOST);
        try {
            for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
                session.close();
            }
        } catch (SQLException ignored) {
            // Nothing was to be written.
        } finally {
            free.release(MOST);
        }
    }
}
