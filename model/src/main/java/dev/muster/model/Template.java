package dev.muster.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A value of a launch plan: a sequence of parts, joined once each is known. */
public record Template(List<Part> parts) {
    public Template {
        parts = List.copyOf(parts);
    }

    public static Template text(String text) {
        return new Template(List.of(new Part.Text(text)));
    }

    public static Template of(Part... parts) {
        return new Template(Arrays.asList(parts));
    }

    /**
     * The joined text, or empty when a part of it is absent.
     *
     * @param resolver what each part that is no plain text is here; empty where it is absent
     */
    public Optional<String> render(Function<Part, Optional<String>> resolver) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Part.Text(String piece)) {
                text.append(piece);
            } else {
                Optional<String> piece = resolver.apply(part);
                if (piece.isEmpty()) {
                    return Optional.empty();
                }
                text.append(piece.get());
            }
        }
        return Optional.of(text.toString());
    }
}
