package dev.muster.store;

import dev.muster.spi.Projects;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The conditions of a query about jobs, each with its values; no value ever becomes part of the text. For one thread. */
final class Selection {
    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /** Adds a condition with one parameter. */
    Selection and(String condition, Object value) {
        conditions.add(condition);
        values.add(value);
        return this;
    }

    /** Adds that the column is one of these; of none at all nothing is found. */
    Selection andIn(String column, List<String> any) {
        conditions.add(
                any.isEmpty()
                        ? "1 = 0"
                        : column + " in (" + String.join(", ", Collections.nCopies(any.size(), "?")) + ")");
        values.addAll(any);
        return this;
    }

    Selection andOf(Projects projects) {
        return projects.all()
                ? this
                : andIn("project", projects.names().stream().sorted().toList());
    }

    /** The clause; empty without conditions. */
    String where() {
        return conditions.isEmpty() ? "" : "where " + String.join(" and ", conditions);
    }

    Object[] values() {
        return values.toArray();
    }

    /** The same with a value that stands behind the clause. */
    Object[] valuesAnd(Object last) {
        List<Object> all = new ArrayList<>(values);
        all.add(last);
        return all.toArray();
    }
}
