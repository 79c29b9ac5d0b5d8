package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Optional;

/**
 * An error answer (RFC 9457, {@code application/problem+json}).
 *
 * @param type     URN of its {@link ProblemType}
 * @param title    the same for every answer of the type
 * @param status   HTTP status
 * @param detail   what was tried, what was seen, and what can be done
 * @param problems everything wrong with the request, at once
 * @param needs    what has to be sent along; with type needs, and with type invalid when a job text is wrong besides
 * @param ids      the jobs that fit, only with type ambiguous
 */
public record ProblemDocument(
        String type,
        String title,
        int status,
        String detail,
        List<FieldProblem> problems,
        Optional<Needs> needs,
        List<String> ids)
        implements Document {
    public ProblemDocument {
        problems = List.copyOf(problems);
        ids = List.copyOf(ids);
    }

    public static ProblemDocument of(ProblemType type, String detail, List<FieldProblem> problems) {
        return new ProblemDocument(
                type.urn(), type.title(), type.status(), detail, problems, Optional.empty(), List.of());
    }

    public static ProblemDocument of(ProblemType type, String detail) {
        return of(type, detail, List.of());
    }

    public static ProblemDocument needs(Needs needs, String detail) {
        ProblemType type = ProblemType.NEEDS;
        return new ProblemDocument(
                type.urn(), type.title(), type.status(), detail, List.of(), Optional.of(needs), List.of());
    }

    public static ProblemDocument ambiguous(List<String> ids, String detail) {
        ProblemType type = ProblemType.AMBIGUOUS;
        return new ProblemDocument(type.urn(), type.title(), type.status(), detail, List.of(), Optional.empty(), ids);
    }

    /** The same, with what has to be sent along. */
    public ProblemDocument with(Optional<Needs> all) {
        return new ProblemDocument(type, title, status, detail, problems, all, ids);
    }

    /** The same with another detail and other problems. */
    public ProblemDocument with(String other, List<FieldProblem> others) {
        return new ProblemDocument(type, title, status, other, others, needs, ids);
    }

    public static ProblemDocument of(JsonFields json) {
        return new ProblemDocument(
                json.text("type"),
                json.text("title"),
                json.smallInteger("status"),
                json.text("detail"),
                json.list("problems", FieldProblem::of),
                json.optionalObject("needs").map(Needs::of),
                json.texts("ids"));
    }

    /** Fields {@code needs} and {@code ids} are extensions and stand only where there is something to say. */
    @Override
    public JsonFields toJson() {
        Json.Builder json = Json.object()
                .put("type", type)
                .put("title", title)
                .put("status", Json.of(status))
                .put("detail", detail)
                .put("problems", Document.all(problems));
        if (needs.isPresent()) {
            json.put("needs", needs.get().toJson());
        }
        if (!ids.isEmpty()) {
            json.put("ids", Json.ofTexts(ids));
        }
        return json.build();
    }
}
