package dev.muster.store;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** A work that somebody waits for while a writer does it, perhaps more than once. */
final class Request<T> {
    private final Room room;
    private final Work<T> work;
    private final CompletableFuture<Outcome<T>> told = new CompletableFuture<>();
    private Outcome<T> outcome;

    Request(Work<T> work) {
        this(Room.FREE, work);
    }

    Request(Room room, Work<T> work) {
        this.room = room;
        this.work = work;
    }

    Room room() {
        return room;
    }

    /** What came of a work: a result, or what it threw. */
    private record Outcome<T>(T result, RuntimeException thrown) {}

    /** Does the work; its result is told once {@link #tell} says that it is durable. */
    void run(Session session) throws SQLException {
        outcome = new Outcome<>(work.in(session), null);
    }

    /** Instead of a result, this is told. */
    void threw(RuntimeException thrown) {
        outcome = new Outcome<>(null, thrown);
    }

    void tell() {
        told.complete(outcome);
    }

    void fail(RuntimeException thrown) {
        told.complete(new Outcome<>(null, thrown));
    }

    /** Waits for what is told. An interrupt does not cut it short. */
    T answer() {
        Outcome<T> answer = told.join();
        if (answer.thrown() != null) {
            throw answer.thrown();
        }
        return answer.result();
    }
}
