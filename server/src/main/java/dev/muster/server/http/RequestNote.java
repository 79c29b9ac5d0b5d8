package dev.muster.server.http;

import dev.muster.server.access.Caller;
import java.util.Optional;

/** What becomes known of a request on its way in, for who tells of it when it is over. For the thread of the request. */
public final class RequestNote {
    private Optional<Caller> caller = Optional.empty();
    private Optional<String> route = Optional.empty();
    private Optional<String> subject = Optional.empty();
    private int status;
    private Runnable whenAnswered = () -> {};

    /** Who sent it; empty until its token was accepted. */
    public Optional<Caller> caller() {
        return caller;
    }

    /** The pattern of the route that answers; empty until there is one. */
    public Optional<String> route() {
        return route;
    }

    /** What it is about, such as the id of the job. */
    public Optional<String> subject() {
        return subject;
    }

    /** The status that it was answered with; 0 until it is. */
    public int status() {
        return status;
    }

    void admit(Caller admitted) {
        caller = Optional.of(admitted);
    }

    void route(String pattern) {
        route = Optional.of(pattern);
    }

    public void subject(String about) {
        subject = Optional.of(about);
    }

    /** Has this run once the status is known and before anything of the answer is sent. */
    public void whenAnswered(Runnable action) {
        Runnable before = whenAnswered;
        whenAnswered = () -> {
            before.run();
            action.run();
        };
    }

    void status(int answered) {
        status = answered;
        whenAnswered.run();
    }
}
