package dev.muster.cli.screen;

import dev.muster.cli.base.Surroundings;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Standard output of this process. Whether it is a terminal is settled at the first question; its size is asked for again and again. */
public final class SystemScreen implements Screen {
    private static final long SIZE_HOLDS_NANOSECONDS = 2_000_000_000L;
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    private final Surroundings surroundings;
    private final boolean terminal;
    private int columns;
    private int rows;
    private long askedAt;

    public SystemScreen(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = isStandardOutputATerminal();
    }

    /** Linux tells by the name of the file; elsewhere the JDK does, if standard input is a terminal too. */
    private static boolean isStandardOutputATerminal() {
        Path link = Path.of("/proc/self/fd/1");
        if (Files.isSymbolicLink(link)) {
            try {
                String file = Files.readSymbolicLink(link).toString();
                return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
            } catch (IOException unreadable) {
                return false;
            }
        }
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    @Override
    public boolean isTerminal() {
        return terminal;
    }

    @Override
    public boolean canDraw() {
        String kind = surroundings.variable("TERM").orElse("dumb");
        return terminal
                && !kind.equals("dumb")
                && surroundings.variable("NO_COLOR").isEmpty();
    }

    @Override
    public int columns() {
        if (!terminal) {
            return UNBOUNDED;
        }
        measure();
        return columns;
    }

    @Override
    public int rows() {
        measure();
        return rows;
    }

    private void measure() {
        long now = System.nanoTime();
        if (columns > 0 && now - askedAt < SIZE_HOLDS_NANOSECONDS) {
            return;
        }
        askedAt = now;
        String[] size = size().split(" ");
        rows = size.length == 2 ? number(size[0], USUAL_ROWS) : number(variable("LINES"), USUAL_ROWS);
        columns = size.length == 2 ? number(size[1], USUAL_COLUMNS) : number(variable("COLUMNS"), USUAL_COLUMNS);
    }

    private String variable(String name) {
        return surroundings.variable(name).orElse("");
    }

    /** As {@code stty size} says: rows and columns. */
    private static String size() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(stty.getInputStream().readNBytes(100), StandardCharsets.US_ASCII).strip();
        } catch (IOException notToBeHad) {
            return "";
        }
    }

    private static int number(String text, int otherwise) {
        try {
            int number = Integer.parseInt(text);
            return number > 0 ? number : otherwise;
        } catch (NumberFormatException none) {
            return otherwise;
        }
    }
}
