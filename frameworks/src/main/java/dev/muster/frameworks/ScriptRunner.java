package dev.muster.frameworks;

import dev.muster.model.Template;
import java.util.Map;

/** What programs of Muster's run a user's script with in their own interpreter. */
public final class ScriptRunner {
    private ScriptRunner() {}

    /** The file, under a name that no module of a user has. */
    public static Map<String, Template> files() {
        return Map.of(".muster/_muster_script.py", Template.text(Companion.text(ScriptRunner.class, "script.py")));
    }
}
