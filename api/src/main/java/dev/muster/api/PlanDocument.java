package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/**
 * What is launched for a job.
 *
 * @param addresses {@code real} for a job that has its place, {@code sample} where addresses and ports are only of the right form
 */
public record PlanDocument(String backend, String addresses, List<PlannedProcess> processes) implements Document {
    public PlanDocument {
        processes = List.copyOf(processes);
    }

    public static PlanDocument of(JsonFields json) {
        return new PlanDocument(
                json.text("backend"), json.text("addresses"), json.list("processes", PlannedProcess::of));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("backend", backend)
                .put("addresses", addresses)
                .put("processes", Document.all(processes))
                .build();
    }
}
