package dev.muster.spi;

import dev.muster.formats.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a process that is held ready is told when it becomes an attempt: two lines through a pipe in its working folder. With the first it
 * claims the attempt by a file that only one may make; the second makes it run. Who closes the pipe in between takes the claim back.
 *
 * @param claim the first line
 * @param order the second line
 */
public record HeldReady(String claim, String order) {
    /** The pipe, in the working folder; it is there once the framework is imported. */
    public static final String PIPE = ".muster/standby.pipe";

    /** An order is written whether it is read or not, so all of it has to fit into a pipe. */
    private static final int LONGEST = 60_000;

    /**
     * The lines.
     *
     * @param claim    file that only one may make, and what it holds
     * @param rendered what the attempt is given
     * @param log      where it says what it says from then on
     * @param folder   its working folder
     * @param files    files it writes before it runs, in this order, and what they hold
     */
    public static HeldReady of(Written claim, Rendered rendered, String log, String folder, List<Written> files) {
        List<String> argv = rendered.argv();
        return new HeldReady(
                line(Json.object().put("claim", claim.json()).build()),
                line(Json.object()
                        .put(
                                "files",
                                new Json.Items(files.stream().map(Written::json).toList()))
                        .put("log", Json.of(log))
                        .put("folder", Json.of(folder))
                        .put("env", Json.ofTexts(rendered.env()))
                        // It is the Python that the first word names.
                        .put("argv", Json.ofTexts(argv.subList(1, argv.size())))
                        .build()));
    }

    /** Whether it fits: a longer one is for nobody who is held ready. */
    public boolean fits() {
        return bytes(claim) + bytes(order) <= LONGEST;
    }

    private static int bytes(String line) {
        return line.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String line(Json json) {
        return json + "\n";
    }

    /** A file and what it holds. */
    public record Written(String file, String text) {
        Json json() {
            return Json.ofTexts(List.of(file, text));
        }
    }
}
