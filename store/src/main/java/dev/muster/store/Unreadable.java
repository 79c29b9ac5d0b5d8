package dev.muster.store;

/** Is told of rows that cannot be read, once each. The jobs they belong to are passed over; all others work. */
@FunctionalInterface
public interface Unreadable {
    /**
     * A row cannot be read.
     *
     * @param job the job's id as it is stored
     * @param why what is wrong with it, in one sentence
     */
    void row(String job, String why);
}
