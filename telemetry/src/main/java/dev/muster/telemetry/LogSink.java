package dev.muster.telemetry;

import java.io.IOException;

/** Takes lines one by one; while it blocks nothing is read. */
@FunctionalInterface
public interface LogSink {
    /**
     * Takes a line.
     *
     * @return false to end the reading
     */
    boolean line(LogLine line) throws IOException;
}
