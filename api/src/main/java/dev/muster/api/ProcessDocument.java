package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The newest attempt of one process of a job.
 *
 * @param name     {@code role-index}, or {@code role-index.localRank}
 * @param rank     absent for roles without rank
 * @param exitCode once it has ended, 128 + n for signal n
 * @param signal   name without SIG
 * @param address  as its peers reach it
 * @param step     its last step, while it runs and reports some
 * @param stepSeconds what a step usually takes it
 */
public record ProcessDocument(
        String name,
        String role,
        int index,
        OptionalInt rank,
        OptionalInt localRank,
        String state,
        OptionalInt exitCode,
        Optional<String> signal,
        Optional<String> reason,
        int attempt,
        Optional<String> address,
        OptionalLong pid,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        OptionalLong step,
        OptionalDouble stepSeconds)
        implements Document {
    public static ProcessDocument of(JsonFields json) {
        return new ProcessDocument(
                json.text("name"),
                json.text("role"),
                json.smallInteger("index"),
                json.optionalSmallInteger("rank"),
                json.optionalSmallInteger("localRank"),
                json.text("state"),
                json.optionalSmallInteger("exitCode"),
                json.optionalText("signal"),
                json.optionalText("reason"),
                json.smallInteger("attempt"),
                json.optionalText("address"),
                json.optionalInteger("pid"),
                json.optionalTime("startedAt"),
                json.optionalTime("finishedAt"),
                json.optionalInteger("step"),
                json.optionalNumber("stepSeconds"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("role", role)
                .put("index", Json.of(index))
                .put("rank", Json.of(rank))
                .put("localRank", Json.of(localRank))
                .put("state", state)
                .put("exitCode", Json.of(exitCode))
                .put("signal", Json.ofText(signal))
                .put("reason", Json.ofText(reason))
                .put("attempt", Json.of(attempt))
                .put("address", Json.ofText(address))
                .put("pid", Json.of(pid))
                .put("startedAt", Json.ofTime(startedAt))
                .put("finishedAt", Json.ofTime(finishedAt))
                .put("step", Json.of(step))
                .put("stepSeconds", Json.of(stepSeconds))
                .build();
    }
}
