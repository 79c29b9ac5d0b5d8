package dev.muster.spec.job;

import dev.muster.spec.form.Form;
import dev.muster.spec.tree.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Values that are handed on as they are: maps, lists, texts, truth values, whole numbers as {@link Long} and others as {@link
 * Double}, as the core schema of YAML 1.2 tells them apart. Entries without a value are left out.
 */
final class Anything {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][+-]?\\d{1,3})?");

    private Anything() {}

    static Form<Object> mapping() {
        return at -> at.tree() instanceof Tree.Entries
                ? value(at.tree())
                : at.wrong("must be a mapping, not " + at.tree().kind());
    }

    static Form<Object> list() {
        return at -> at.tree() instanceof Tree.Items
                ? value(at.tree())
                : at.wrong("must be a list, not " + at.tree().kind());
    }

    private static Optional<Object> value(Tree tree) {
        return switch (tree) {
            case Tree.Scalar scalar -> scalar.isNull() ? Optional.empty() : Optional.of(scalar(scalar));
            case Tree.Items(List<Tree> items) -> {
                List<Object> values = new ArrayList<>();
                items.forEach(item -> value(item).ifPresent(values::add));
                yield Optional.of(List.copyOf(values));
            }
            case Tree.Entries(Map<String, Tree> entries) -> {
                Map<String, Object> values = new LinkedHashMap<>();
                entries.forEach((name, entry) -> value(entry).ifPresent(found -> values.put(name, found)));
                yield Optional.of(Collections.unmodifiableMap(values));
            }
        };
    }

    private static Object scalar(Tree.Scalar scalar) {
        String text = scalar.text();
        if (!scalar.plain()) {
            return text;
        }
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return Boolean.valueOf(text);
        }
        if (WHOLE.matcher(text).matches()) {
            return Long.valueOf(text);
        }
        boolean number = NUMBER.matcher(text).matches() && Double.isFinite(Double.parseDouble(text));
        return number ? (Object) Double.valueOf(text) : text;
    }
}
