package dev.muster.telemetry;

import dev.muster.model.ProcessKey;
import java.time.Instant;

/**
 * One line of a log as people read it: broken UTF-8 replaced, of a progress bar only what a terminal would show last, a very long
 * line cut with a mark that says how much is missing; colours and other control bytes as they came.
 *
 * @param from   the attempt that said it
 * @param at     when it was seen, to a fraction of a second
 * @param offset where it begins in the raw log
 * @param text   without the end of the line
 */
public record LogLine(ProcessKey from, Instant at, long offset, String text) {
    /**
     * The line with its process before it.
     *
     * @param process whether to name the process: not where there is only one
     * @param attempt whether to name the attempt: where several are read
     */
    public String shown(boolean process, boolean attempt) {
        if (!process && !attempt) {
            return text;
        }
        return (process ? from.name().toString() : "")
                + (process && attempt ? " " : "")
                + (attempt ? "a" + from.attempt() : "")
                + " | "
                + text;
    }
}
