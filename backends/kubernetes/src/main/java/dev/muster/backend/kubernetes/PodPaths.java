package dev.muster.backend.kubernetes;

import dev.muster.model.Part;
import java.nio.file.Path;

/** Where things are inside a pod: one folder that its containers share. */
final class PodPaths {
    static final String ROOT = "/muster";
    static final String CHECKPOINTS = ROOT + "/checkpoints";
    static final String CODE = ROOT + "/code";
    static final String CONTROL = ROOT + "/control";
    static final String DATA = ROOT + "/data";
    static final String MODEL = ROOT + "/model";
    static final String PYTHON = ROOT + "/python";
    static final String RESUME = ROOT + "/resume";

    /** Holds the process id of the program inside its container. */
    static final String PID = ROOT + "/state/pid";

    /** Where the launch text and the scripts of a pod are. */
    static final String LAUNCH = "/launch";

    /** Every tool that is run in a pod: its image may have none by name. */
    static final String BUSYBOX = ROOT + "/bin/busybox";

    static final String SHELL = ROOT + "/bin/shell";

    private PodPaths() {}

    static String of(Part.Place place) {
        return switch (place) {
            case CODE -> CODE;
            case MODEL -> MODEL;
            case CHECKPOINTS -> CHECKPOINTS;
            case CONTROL -> CONTROL;
            case REPORT_FILE -> ROOT + "/reports.jsonl";
        };
    }

    /** Data keeps the last name of its path, for programs look at endings of names. */
    static String data(String name, Path source) {
        Path last = source.getFileName();
        return DATA + "/" + name + "/" + (last == null ? "root" : last.toString());
    }

    /**
     * What a path of the service to resume from is in a pod: in its checkpoint folder, or delivered beside it where it belongs to another job.
     *
     * @param checkpoints the job's checkpoint folder on the service's host
     */
    static String resume(Path checkpoints, String from) {
        Path path = Path.of(from);
        return path.startsWith(checkpoints)
                ? CHECKPOINTS + "/" + checkpoints.relativize(path)
                : RESUME + "/" + path.getFileName();
    }
}
