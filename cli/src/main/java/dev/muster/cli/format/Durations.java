package dev.muster.cli.format;

import java.time.Duration;
import java.util.Optional;

/** Durations as job text writes them, and for people. */
public final class Durations {
    private static final int MOST_DIGITS = 9;
    private static final long SECOND = 1000;
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Durations() {}

    /** Reads {@code 90s}, {@code 10m}, {@code 1h30m}, {@code 500ms} or {@code 0}: units fall; empty when it is no duration. */
    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Duration sum = Duration.ZERO;
        long before = Long.MAX_VALUE;
        int at = 0;
        while (at < text.length()) {
            int digits = end(text, at, true);
            int unit = end(text, digits, false);
            long milliseconds = milliseconds(text.substring(digits, unit));
            if (digits == at || digits - at > MOST_DIGITS || milliseconds == 0 || milliseconds >= before) {
                return Optional.empty();
            }
            sum = sum.plusMillis(Math.multiplyExact(Long.parseLong(text.substring(at, digits)), milliseconds));
            before = milliseconds;
            at = unit;
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(sum);
    }

    private static int end(String text, int from, boolean digits) {
        int end = from;
        while (end < text.length() && (text.charAt(end) >= '0' && text.charAt(end) <= '9') == digits) {
            end++;
        }
        return end;
    }

    private static long milliseconds(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> SECOND;
            case "m" -> SECOND * MINUTE;
            case "h" -> SECOND * HOUR;
            case "d" -> SECOND * DAY;
            default -> 0;
        };
    }

    /** With two units at most, such as 0.4 s, 12 s, 3m 05s, 2h 10m, 4d 3h. */
    public static String show(Duration duration) {
        long seconds = duration.toSeconds();
        if (duration.toMillis() < 9_950) {
            return Numbers.fixed(duration.toMillis() / 1000.0, 1) + " s";
        }
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + "m " + twoDigits(seconds % MINUTE) + "s";
        }
        if (seconds < DAY) {
            return seconds / HOUR + "h " + twoDigits(seconds % HOUR / MINUTE) + "m";
        }
        return seconds / DAY + "d " + seconds % DAY / HOUR + "h";
    }

    /** How long ago, with one unit: 5s, 12m, 3h, 8d. */
    public static String age(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < MINUTE) {
            return seconds + "s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + "m";
        }
        return seconds < 2 * DAY ? seconds / HOUR + "h" : seconds / DAY + "d";
    }

    private static String twoDigits(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }
}
