package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;

/**
 * One thing that somebody did or tried.
 *
 * @param at      when it was over
 * @param token   name of the token
 * @param user    whose it is
 * @param action  method and route, such as {@code POST /v1/jobs/{job}/cancel}
 * @param subject what it was about, such as the id of a job
 * @param outcome {@code done}, {@code refused}, {@code failed} or {@code unknown}
 * @param status  HTTP status of the answer; 0 is none
 */
public record AuditDocument(
        Instant at, String token, String user, String action, String subject, String outcome, int status)
        implements Document {
    public static AuditDocument of(JsonFields json) {
        return new AuditDocument(
                json.time("at"),
                json.text("token"),
                json.text("user"),
                json.text("action"),
                json.text("subject"),
                json.text("outcome"),
                Math.toIntExact(json.integer("status")));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("at", Json.of(at))
                .put("token", token)
                .put("user", user)
                .put("action", action)
                .put("subject", subject)
                .put("outcome", outcome)
                .put("status", Json.of(status))
                .build();
    }
}
