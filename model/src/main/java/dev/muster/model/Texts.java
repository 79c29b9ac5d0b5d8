package dev.muster.model;

import java.util.Locale;

/** Spelling of enums in job text and in checks shared by the records of this package. */
final class Texts {
    private Texts() {}

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** {@code OUT_OF_MEMORY} becomes {@code OutOfMemory}. */
    static String camel(Enum<?> constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.name().split("_")) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
