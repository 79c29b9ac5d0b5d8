package dev.muster.cli.client;

import dev.muster.cli.base.Failure;

/** Knows where the service is, and may start it. Any thread may call. */
public interface ServiceFinder {
    /**
     * Where the service is. It was there a moment ago, or has just been started.
     *
     * @throws Failure when there is none and none can be started
     */
    Endpoint find();

    /**
     * Where the service is now that this endpoint does not answer.
     *
     * @param why what was seen, for the message
     * @throws Failure when there is none and none can be started
     */
    Endpoint findAgain(Endpoint failed, String why);
}
