package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/**
 * One queue.
 *
 * @param weight   its part of the room beside that of other queues
 * @param quota    what its jobs may hold of their own
 * @param used     what they hold
 * @param borrowed the part of it that goes beyond the quota
 * @param queued   jobs that wait in it
 * @param active   jobs of it that hold capacity
 * @param users    who has jobs in it
 */
public record QueueDocument(
        String name,
        int weight,
        AmountDocument quota,
        AmountDocument used,
        AmountDocument borrowed,
        int queued,
        int active,
        List<User> users)
        implements Document {
    public QueueDocument {
        users = List.copyOf(users);
    }

    public static QueueDocument of(JsonFields json) {
        return new QueueDocument(
                json.text("name"),
                json.smallInteger("weight"),
                AmountDocument.of(json.object("quota")),
                AmountDocument.of(json.object("used")),
                AmountDocument.of(json.object("borrowed")),
                json.smallInteger("queued"),
                json.smallInteger("active"),
                json.list("users", User::of));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("weight", Json.of(weight))
                .put("quota", quota.toJson())
                .put("used", used.toJson())
                .put("borrowed", borrowed.toJson())
                .put("queued", Json.of(queued))
                .put("active", Json.of(active))
                .put("users", Document.all(users))
                .build();
    }

    /**
     * A user in a queue.
     *
     * @param share     the largest part of any one thing of the whole that the user's jobs of this queue hold, 0 to 1
     * @param pastShare the mean of that share in the past, recent times weighing more
     */
    public record User(String name, int queued, int active, AmountDocument used, double share, double pastShare)
            implements Document {
        public static User of(JsonFields json) {
            return new User(
                    json.text("name"),
                    json.smallInteger("queued"),
                    json.smallInteger("active"),
                    AmountDocument.of(json.object("used")),
                    json.number("share"),
                    json.number("pastShare"));
        }

        @Override
        public JsonFields toJson() {
            return Json.object()
                    .put("name", name)
                    .put("queued", Json.of(queued))
                    .put("active", Json.of(active))
                    .put("used", used.toJson())
                    .put("share", Json.of(share))
                    .put("pastShare", Json.of(pastShare))
                    .build();
        }
    }
}
