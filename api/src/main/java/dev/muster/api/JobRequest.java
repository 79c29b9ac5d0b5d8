package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as a client hands it in, for POST /v1/jobs and /v1/plans. The service answers with {@link Needs} when something that the text
 * asks for is not here yet.
 *
 * @param text         the job text, YAML or JSON, as the user wrote it
 * @param folder       absolute folder of the job file, against which its relative paths are read
 * @param sets         overrides in the form {@code path=value}, in order
 * @param python       absolute path of the first python3 on the submitter's PATH
 * @param path         the submitter's PATH
 * @param code         digest that PUT /v1/code gave for the code folder
 * @param requirements content of requirements files, by the name the text uses
 * @param secrets      values, by the variable that the processes get
 * @param key          idempotency key; the header Idempotency-Key says the same
 * @param project      project of the job; the token's first one when absent
 */
public record JobRequest(
        String text,
        String folder,
        List<String> sets,
        Optional<String> python,
        String path,
        Optional<String> code,
        Map<String, String> requirements,
        Map<String, String> secrets,
        Optional<String> key,
        Optional<String> project)
        implements Document {
    private static final List<String> FIELDS =
            List.of("text", "folder", "sets", "python", "path", "code", "requirements", "secrets", "key", "project");

    public JobRequest {
        sets = List.copyOf(sets);
        requirements = Map.copyOf(requirements);
        secrets = Map.copyOf(secrets);
    }

    /** Reads a request; unknown fields are refused. */
    public static JobRequest of(JsonFields json) {
        json.only(FIELDS);
        return new JobRequest(
                json.text("text"),
                json.text("folder"),
                json.texts("sets"),
                json.optionalText("python"),
                json.optionalText("path").orElse(""),
                json.optionalText("code"),
                json.textMap("requirements"),
                json.textMap("secrets"),
                json.optionalText("key"),
                json.optionalText("project"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("text", text)
                .put("folder", folder)
                .put("sets", Json.ofTexts(sets))
                .put("python", Json.ofText(python))
                .put("path", path)
                .put("code", Json.ofText(code))
                .put("requirements", Json.ofTexts(requirements))
                .put("secrets", Json.ofTexts(secrets))
                .put("key", Json.ofText(key))
                .put("project", Json.ofText(project))
                .build();
    }

    /** Without the text and the secrets. */
    @Override
    public String toString() {
        return "JobRequest[" + folder + ", sets " + sets.size() + ", secrets " + secrets.keySet() + "]";
    }
}
