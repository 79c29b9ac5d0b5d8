package dev.muster.artifacts.python;

import dev.muster.model.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables under which Python and pip run here: those of the service, so that its HOME, proxies and PIP_ settings hold, with the
 * submitter's PATH and without what would make them work on another environment than the one being built.
 */
final class BuildVariables {
    private static final List<String> NOT_FOR_A_BUILD = List.of(
            "PYTHONHOME",
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "VIRTUAL_ENV",
            "__PYVENV_LAUNCHER__",
            "PIP_TARGET",
            "PIP_PREFIX",
            "PIP_ROOT",
            "PIP_PYTHON",
            "PIP_DRY_RUN",
            "PIP_QUIET",
            "PIP_REQUIREMENT");

    private final Map<String, String> service;

    BuildVariables(Map<String, String> service) {
        this.service = Map.copyOf(service);
    }

    Map<String, String> of(Origin origin) {
        Map<String, String> variables = new HashMap<>(service);
        variables.keySet().removeAll(NOT_FOR_A_BUILD);
        variables.put("PATH", origin.path());
        variables.put("PIP_USER", "0");
        variables.put("PYTHONUNBUFFERED", "1");
        variables.put("PYTHONIOENCODING", "utf-8");
        return variables;
    }
}
