package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Optional;

/**
 * Jobs, and those among them that cannot be shown.
 *
 * @param unreadable jobs of this page whose stored record cannot be read
 * @param next       what to give as {@code before} to get the next page; empty when there is none
 */
public record JobPage(List<JobDocument> items, List<UnreadableDocument> unreadable, Optional<String> next)
        implements Document {
    public JobPage {
        items = List.copyOf(items);
        unreadable = List.copyOf(unreadable);
    }

    /** A service of an earlier version does not tell those that cannot be read. */
    public static JobPage of(JsonFields json) {
        return new JobPage(
                json.list("items", JobDocument::of),
                json.list("unreadable", UnreadableDocument::of),
                json.optionalText("next"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("items", Document.all(items))
                .put("unreadable", Document.all(unreadable))
                .put("next", Json.ofText(next))
                .build();
    }
}
