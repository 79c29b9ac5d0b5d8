package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a client still has to send along, in the 428 answer to a {@link JobRequest}, or beside what is wrong with its text.
 *
 * @param code         folder as the text writes it: send it to PUT /v1/code and name its digest
 * @param scripts      files that commands name and that have to be in {@code code}; nothing is sent for them
 * @param requirements requirements files whose content is needed, as the text writes them
 * @param secrets      variable of the processes, and the submitter's variable whose value is needed
 */
public record Needs(Optional<String> code, List<String> scripts, List<String> requirements, Map<String, String> secrets)
        implements Document {
    public Needs {
        scripts = List.copyOf(scripts);
        requirements = List.copyOf(requirements);
        secrets = Map.copyOf(secrets);
    }

    public Needs(Optional<String> code, List<String> requirements, Map<String, String> secrets) {
        this(code, List.of(), requirements, secrets);
    }

    public static Needs of(JsonFields json) {
        return new Needs(
                json.optionalText("code"), json.texts("scripts"), json.texts("requirements"), json.textMap("secrets"));
    }

    /** Whether nothing is needed. */
    public boolean isEmpty() {
        return code.isEmpty() && requirements.isEmpty() && secrets.isEmpty();
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("code", Json.ofText(code))
                .put("scripts", Json.ofTexts(scripts))
                .put("requirements", Json.ofTexts(requirements))
                .put("secrets", Json.ofTexts(secrets))
                .build();
    }
}
