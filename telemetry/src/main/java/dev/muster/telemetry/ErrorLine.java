package dev.muster.telemetry;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The line in which Python says what went wrong: {@code RuntimeError: words}, below the stack of a traceback. torchrun may say whose it is. */
final class ErrorLine {
    private static final String WHOSE = "(?:\\[[^\\]]{1,60}]:\\s?)?";
    private static final Pattern ERROR = Pattern.compile(WHOSE + "[\\w.]+(?:Error|Exception)(?::.*)?");
    private static final Pattern OF_A_STACK = Pattern.compile(WHOSE + "\\s+\\S.*");

    private ErrorLine() {}

    static boolean is(String line) {
        return ERROR.matcher(line).matches();
    }

    /**
     * The lines up to the last one that ends a traceback; empty where there is none. What libraries write when a process leaves after its
     * error is no reason for its end.
     */
    static Optional<List<String>> endOfATracebackIn(List<String> lastLines) {
        for (int at = lastLines.size() - 1; at > 0; at--) {
            if (is(lastLines.get(at))
                    && OF_A_STACK.matcher(lastLines.get(at - 1)).matches()) {
                return Optional.of(lastLines.subList(0, at + 1));
            }
        }
        return Optional.empty();
    }
}
