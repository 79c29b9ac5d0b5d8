package dev.muster.api;

/**
 * One queue.
 *
 * @param queued jobs that wait in it
 * @param active jobs of it that hold capacity
 */
public record QueueDocument(String name, int queued, int active) implements Document {
    public static QueueDocument of(JsonFields json) {
        return new QueueDocument(json.text("name"), json.smallInteger("queued"), json.smallInteger("active"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("queued", Json.of(queued))
                .put("active", Json.of(active))
                .build();
    }
}
