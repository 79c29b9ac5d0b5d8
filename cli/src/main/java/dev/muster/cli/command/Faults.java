package dev.muster.cli.command;

import dev.muster.cli.base.Surroundings;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What is told about a fault of the command line itself. */
final class Faults {
    private Faults() {}

    /** One sentence; with MUSTER_DEBUG set, the whole trace. */
    static String describe(Throwable fault, Surroundings surroundings) {
        if (surroundings.variable("MUSTER_DEBUG").isPresent()) {
            StringWriter trace = new StringWriter();
            fault.printStackTrace(new PrintWriter(trace, true));
            return "a fault in Muster: " + trace;
        }
        return "a fault in Muster: " + fault.getClass().getSimpleName()
                + (fault.getMessage() == null ? "" : ": " + fault.getMessage())
                + "; please report it, with the output of the same command with MUSTER_DEBUG=1";
    }
}
