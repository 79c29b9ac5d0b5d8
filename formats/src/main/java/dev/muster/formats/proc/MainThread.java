package dev.muster.formats.proc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of the main thread, innermost first, as {@code name (file:line)}, out of what py-spy, Python's faulthandler or jstack write.
 */
final class MainThread {
    private static final int MOST = 100;
    private static final Pattern FAULTHANDLER = Pattern.compile("\\s+File \"(.*)\", line (\\d+) in (.*)");
    private static final Pattern SPY = Pattern.compile("\\s+(\\S.*) \\((.*:\\d+)\\)");
    private static final Pattern JAVA = Pattern.compile("\\s+at (\\S+)\\((.*)\\)");

    private MainThread() {}

    static List<String> calls(String text) {
        List<String> calls = new ArrayList<>();
        boolean main = false;
        boolean named = text.contains("\"MainThread\"") || text.contains("\"main\" ");
        for (String line : text.lines().toList()) {
            Optional<String> call = call(line);
            if (call.isPresent()) {
                if ((main || !named) && calls.size() < MOST) {
                    calls.add(call.get());
                }
            } else if (line.startsWith("Thread ") || line.startsWith("Current thread ") || line.startsWith("\"")) {
                main = line.contains("\"MainThread\"") || line.startsWith("\"main\" ");
                if (!named) {
                    calls.clear(); // faulthandler tells the main thread last
                }
            }
        }
        return calls;
    }

    private static Optional<String> call(String line) {
        Matcher python = FAULTHANDLER.matcher(line);
        if (python.matches()) {
            return Optional.of(python.group(3) + " (" + python.group(1) + ":" + python.group(2) + ")");
        }
        Matcher java = JAVA.matcher(line);
        if (java.matches()) {
            return Optional.of(java.group(1) + " (" + java.group(2) + ")");
        }
        Matcher spy = SPY.matcher(line);
        return spy.matches() ? Optional.of(spy.group(1) + " (" + spy.group(2) + ")") : Optional.empty();
    }
}
