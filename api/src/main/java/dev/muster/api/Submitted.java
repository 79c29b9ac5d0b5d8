package dev.muster.api;

/** Answer to POST /v1/jobs: the job is stored. */
public record Submitted(String id) implements Document {
    public static Submitted of(JsonFields json) {
        return new Submitted(json.text("id"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("id", id).build();
    }
}
