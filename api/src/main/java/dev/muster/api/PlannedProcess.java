package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * One process of a plan.
 *
 * @param argv  program and arguments
 * @param env   its whole environment; the value of a secret is replaced by {@link #SECRET}
 * @param files content of files made in its working folder, by relative path
 */
public record PlannedProcess(
        String name,
        String role,
        int index,
        OptionalInt rank,
        OptionalInt localRank,
        List<String> argv,
        Map<String, String> env,
        Map<String, String> files)
        implements Document {
    /** What stands for the value of a secret wherever a plan is shown. */
    public static final String SECRET = "(secret)";

    public PlannedProcess {
        argv = List.copyOf(argv);
    }

    public static PlannedProcess of(JsonFields json) {
        return new PlannedProcess(
                json.text("name"),
                json.text("role"),
                json.smallInteger("index"),
                json.optionalSmallInteger("rank"),
                json.optionalSmallInteger("localRank"),
                json.texts("argv"),
                json.textMap("env"),
                json.textMap("files"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("role", role)
                .put("index", Json.of(index))
                .put("rank", Json.of(rank))
                .put("localRank", Json.of(localRank))
                .put("argv", Json.ofTexts(argv))
                .put("env", Json.ofTexts(env))
                .put("files", Json.ofTexts(files))
                .build();
    }
}
