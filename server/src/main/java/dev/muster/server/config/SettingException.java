package dev.muster.server.config;

import dev.muster.model.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A variable of the environment that sets up the service is wrong; the message names it, the rule and the way out. */
public final class SettingException extends Exception {
    private static final long serialVersionUID = 1L;

    public SettingException(String message) {
        super(message);
    }

    /** @throws SettingException when something is wrong, a line each */
    public static void unlessEmpty(List<Problem> problems) throws SettingException {
        if (!problems.isEmpty()) {
            throw new SettingException(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        }
    }
}
