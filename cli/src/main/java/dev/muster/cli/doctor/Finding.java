package dev.muster.cli.doctor;

import dev.muster.api.Document;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.Locale;
import java.util.Optional;

/**
 * One thing looked at.
 *
 * @param detail what was seen, and what does not hold because of it
 * @param fix    what to do about it; empty when nothing is to be done
 */
public record Finding(String name, State state, String detail, Optional<String> fix) implements Document {
    /** How good it is. */
    public enum State {
        OK,
        /** It is not here, which only who wants to use it has to mend. */
        NONE,
        /** Muster runs, with a guarantee less. */
        LIMITED,
        /** Muster, or some training, does not run. */
        MISSING;

        public boolean needsALook() {
            return switch (this) {
                case OK, NONE -> false;
                case LIMITED, MISSING -> true;
            };
        }
    }

    static Finding ok(String name, String detail) {
        return new Finding(name, State.OK, detail, Optional.empty());
    }

    static Finding none(String name, String detail) {
        return new Finding(name, State.NONE, detail, Optional.empty());
    }

    static Finding limited(String name, String detail, String fix) {
        return new Finding(name, State.LIMITED, detail, Optional.of(fix));
    }

    static Finding missing(String name, String detail, String fix) {
        return new Finding(name, State.MISSING, detail, Optional.of(fix));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("detail", detail)
                .put("fix", Json.ofText(fix))
                .build();
    }
}
