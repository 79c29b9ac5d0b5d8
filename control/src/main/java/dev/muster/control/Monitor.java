package dev.muster.control;

import java.time.Duration;

/** Is told what goes wrong inside the control plane, which goes on all the same. Any thread may call. */
public interface Monitor {
    /**
     * Something could not be done and will be tried again.
     *
     * @param what    what was tried, on what
     * @param problem what was seen
     */
    void retrying(String what, Throwable problem);

    /**
     * Every job that was there when the service started has been looked at, and what followed at once was done.
     *
     * @param jobs how many
     * @param took since the start of the control plane
     */
    default void tookUp(int jobs, Duration took) {}
}
