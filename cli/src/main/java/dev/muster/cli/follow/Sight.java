package dev.muster.cli.follow;

import dev.muster.api.EventDocument;
import dev.muster.api.JobDocument;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.JsonFields;

/** Something seen of a job that is followed. */
public sealed interface Sight {
    /** The job as it is now. */
    record Job(JsonFields json, JobDocument document) implements Sight {}

    /** Each event once, in order. */
    record Event(JsonFields json, EventDocument document) implements Sight {}

    /**
     * A line of output, or a piece of one that is very long. Each line once, those of one process in order.
     *
     * @param process whose it is; empty when only one process is followed
     * @param bytes   as they came, with the process's prefix and the end of the line
     * @param begins  whether a line begins with it
     * @param ends    whether a line ends with it
     */
    record Output(String process, byte[] bytes, boolean begins, boolean ends) implements Sight {}

    /** The service is not reached; it is being looked for. */
    record Lost(String why) implements Sight {}

    /** The service is reached again. */
    record Found() implements Sight {}

    /** The job is final and all of this feed was seen. */
    record Ended(Feed.Kind feed) implements Sight {}

    /** The feed gave up: the job is gone, or the service was not reached for long. */
    record Broken(Failure failure) implements Sight {}
}
