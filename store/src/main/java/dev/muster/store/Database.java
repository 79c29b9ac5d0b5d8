package dev.muster.store;

import java.util.function.Consumer;

/**
 * A SQL database as the job store needs it: the only part that differs from one product to another. A new product is one
 * implementation, its numbered migrations beside it, and its run of JobStoreTck.
 */
interface Database extends AutoCloseable {
    Dialect dialect();

    /**
     * Does the work in a transaction and returns once it is durable. What the work throws comes out of here, and then none of it
     * has happened.
     *
     * @param about what the work changes, such as a job's id: works about the same are done one after the other where that spares them
     *     waiting for each other
     * @param room  what room it may take
     * @throws dev.muster.spi.JobStore.StoreException when the database fails
     */
    <T> T write(String about, Room room, Work<T> work);

    /** The same in what room is free. */
    default <T> T write(String about, Work<T> work) {
        return write(about, Room.FREE, work);
    }

    /** The same for what nothing else is about. */
    default <T> T write(Work<T> work) {
        return write("", work);
    }

    /** Does the work on one consistent state of the database; it may not change anything. */
    <T> T read(Work<T> work);

    /** A job is stored with that version now; whoever listens in other processes is told. Returns at once. */
    void changed(String id, long version, boolean over);

    /**
     * Calls {@code changed} with the id of a job soon after another process changed it. A hint only; never called where there is no
     * other process.
     */
    void listen(Consumer<String> changed);

    @Override
    void close();
}
