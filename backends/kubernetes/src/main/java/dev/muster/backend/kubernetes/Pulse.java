package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Whether the API server answers. Who asks while another's question is under way waits for the next one, which all who wait share. */
final class Pulse {
    /** Asks the server something cheap. */
    interface Question {
        void ask() throws BackendException;
    }

    private final Question question;
    private final ReentrantLock asking = new ReentrantLock();
    private final AtomicLong begun = new AtomicLong();
    private long answered;
    private Optional<BackendException> lost = Optional.empty();

    Pulse(Question question) {
        this.question = question;
    }

    /** Returns once the server answered a question that was put after this call began. */
    void feel() throws BackendException {
        long enough = begun.get() + 1;
        asking.lock();
        try {
            if (answered < enough) {
                answered = begun.incrementAndGet();
                lost = answer();
            }
            if (lost.isPresent()) {
                BackendException seen = lost.get();
                throw new BackendException(seen.kind(), seen.reasonCode(), seen.getMessage(), seen);
            }
        } finally {
            asking.unlock();
        }
    }

    private Optional<BackendException> answer() {
        try {
            question.ask();
            return Optional.empty();
        } catch (BackendException failed) {
            return Optional.of(failed);
        }
    }
}
