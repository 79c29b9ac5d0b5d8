package dev.muster.store;

/**
 * A SQL database as the job store needs it: the only part that differs from one product to another. A new product is one
 * implementation, its numbered migrations beside it, and its run of JobStoreTck.
 */
interface Database extends AutoCloseable {
    /**
     * Does the work in a transaction and returns once it is durable. What the work throws comes out of here, and then none of it
     * has happened.
     *
     * @throws dev.muster.spi.JobStore.StoreException when the database fails
     */
    <T> T write(Work<T> work);

    /** Does the work on one consistent state of the database; it may not change anything. */
    <T> T read(Work<T> work);

    @Override
    void close();
}
