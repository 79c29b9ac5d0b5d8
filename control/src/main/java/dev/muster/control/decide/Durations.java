package dev.muster.control.decide;

import java.time.Duration;

/** Durations as job text spells them. */
final class Durations {
    private Durations() {}

    static String text(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        piece(text, duration.toDays(), "d");
        piece(text, duration.toHoursPart(), "h");
        piece(text, duration.toMinutesPart(), "m");
        piece(text, duration.toSecondsPart(), "s");
        piece(text, duration.toMillisPart(), "ms");
        return text.toString();
    }

    private static void piece(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }
}
