package dev.muster.control;

import dev.muster.model.JobState;
import java.time.Duration;

/** Something that happens to the simulated world or is asked of it, by itself and not by a call that goes wrong. */
sealed interface Incident {
    /** When, from the start of the simulation. */
    Duration at();

    /** What a user asks for. */
    enum Request {
        CANCEL,
        SUSPEND,
        RESUME,
        PREEMPT
    }

    /** A user asks something about the job of a submission. */
    record Asked(Duration at, Request request, int submission) implements Incident {}

    /** A user asks for another number of workers. */
    record Scaled(Duration at, int workers, int submission) implements Incident {}

    /** A user asks something the moment the job reaches a state, not before {@code at}. */
    record AskedWhen(Duration at, JobState state, Request request, int submission) implements Incident {}

    /** kill -9 of a service between two pieces of its work; it is started again after a while. */
    record ServiceKilled(Duration at, Duration down, int which) implements Incident {}

    /** One service does not reach the database, but its backends. */
    record CutOff(Duration at, Duration lasts, int which) implements Incident {}

    /** One service does nothing for a while, and goes on as if nothing had been. */
    record Frozen(Duration at, Duration lasts, int which) implements Incident {}

    /** Backends are not reached. */
    record ContactLost(Duration at, Duration lasts) implements Incident {}

    /** The clock goes forward at once. It never goes back: that is what the clock promises. */
    record ClockJumps(Duration at, Duration by) implements Incident {}

    /** A process is killed, or vanishes without a code. */
    record ProcessEnds(Duration at, int which, boolean vanishes) implements Incident {}

    /** Nothing that is stored about one job can be read or changed for a while; changes may come through whose answers are lost. */
    record RowFails(Duration at, Duration lasts, int submission, boolean comesThrough) implements Incident {}

    /** Another writer changes a record, so that the next compare-and-set of the service fails. */
    record OtherWriter(Duration at, int which) implements Incident {}
}
