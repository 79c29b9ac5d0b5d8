package dev.muster.control;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Is told what goes wrong inside the control plane, which goes on all the same. Any thread may call. */
public interface Monitor {
    /**
     * Something could not be done and will be tried again.
     *
     * @param what    what was tried, on what
     * @param problem what was seen
     */
    void retrying(String what, Throwable problem);

    /** Writes to the log of the service. */
    static Monitor log() {
        Logger log = System.getLogger(Monitor.class.getName());
        return (what, problem) -> log.log(Level.WARNING, what + " failed and will be tried again: " + problem, problem);
    }
}
