package dev.muster.store;

/**
 * Is called around every commit of the database by the thread that commits, so that a test can halt the service there or make the disk slow.
 * Must throw nothing.
 */
public interface CommitHook {
    /** Nobody. */
    CommitHook NONE = new CommitHook() {
        @Override
        public void before() {}

        @Override
        public void after() {}
    };

    /** All is written, nothing is durable yet. */
    void before();

    /** It is durable; nobody was told yet. */
    void after();
}
