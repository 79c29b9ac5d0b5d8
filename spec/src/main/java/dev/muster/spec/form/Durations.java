package dev.muster.spec.form;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations such as {@code 90s}, {@code 1h30m}, {@code 500ms} and {@code 0}: whole numbers, units d h m s ms from large to small. */
public final class Durations {
    private static final Pattern SHAPE = Pattern.compile(
            "(?=.)(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final List<Duration> UNITS = List.of(
            Duration.ofDays(1),
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(1));
    private static final List<String> NAMES = List.of("d", "h", "m", "s", "ms");
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*([a-z]+)[\\s,]*");
    private static final Map<String, Duration> WORDS = words();
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private Durations() {}

    /** A duration of 0 or more. */
    public static Form<Duration> fromZero() {
        return form("must be a duration such as 90s, 10m or 1h30m");
    }

    /** A duration of more than 0. */
    public static Form<Duration> positive() {
        return positive("must be a duration of more than 0, such as 90s, 10m or 1h30m");
    }

    /** A duration of more than 0, else told this rule. */
    public static Form<Duration> positive(String rule) {
        Form<Duration> any = form(rule);
        return at -> any.read(at).flatMap(found -> found.isZero() ? at.wrong(rule + ", not 0") : Optional.of(found));
    }

    /** A duration, or {@code forever}, which is an empty one. */
    public static Form<Optional<Duration>> orForever() {
        Form<Duration> duration = form("must be a duration such as 30d, or forever");
        return at -> at.scalar("must be a duration or forever")
                .flatMap(scalar -> scalar.text().equals("forever")
                        ? Optional.of(Optional.empty())
                        : duration.read(at).map(Optional::of));
    }

    private static Form<Duration> form(String rule) {
        return at -> at.scalar(rule).flatMap(scalar -> {
            Optional<Duration> read = parse(scalar.text());
            if (read.isEmpty()) {
                return at.wrong(rule + ", not " + At.shown(scalar.text()), meant(scalar.text()));
            }
            return read.get().compareTo(LONGEST) > 0
                    ? at.wrong("must be at most " + LONGEST.toDays() + "d", Optional.empty())
                    : read;
        });
    }

    /** The duration that a person wrote in another form, such as {@code 10 min}, {@code 1.5h} or {@code 90}, which are seconds. */
    private static Optional<String> meant(String text) {
        String bare = text.strip().toLowerCase(Locale.ROOT);
        if (NUMBER.matcher(bare).matches()) {
            return Optional.of(bare + "s");
        }
        BigDecimal milliseconds = BigDecimal.ZERO;
        Matcher part = PART.matcher(bare);
        while (part.lookingAt()) {
            Duration unit = WORDS.get(part.group(2));
            if (unit == null) {
                return Optional.empty();
            }
            milliseconds =
                    milliseconds.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit.toMillis())));
            part.region(part.end(), bare.length());
        }
        boolean all = part.regionStart() == bare.length();
        return all && milliseconds.signum() > 0
                ? Optional.of(write(Duration.ofMillis(milliseconds.longValue())))
                : Optional.empty();
    }

    private static Map<String, Duration> words() {
        Map<String, Duration> words = new HashMap<>();
        List.of("d", "day", "days").forEach(word -> words.put(word, Duration.ofDays(1)));
        List.of("w", "week", "weeks").forEach(word -> words.put(word, Duration.ofDays(7)));
        List.of("h", "hr", "hrs", "hour", "hours").forEach(word -> words.put(word, Duration.ofHours(1)));
        List.of("m", "min", "mins", "minute", "minutes").forEach(word -> words.put(word, Duration.ofMinutes(1)));
        List.of("s", "sec", "secs", "second", "seconds").forEach(word -> words.put(word, Duration.ofSeconds(1)));
        List.of("ms", "msec", "millis", "milliseconds").forEach(word -> words.put(word, Duration.ofMillis(1)));
        return words;
    }

    /** The duration a text stands for. */
    static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        for (int unit = 0; unit < UNITS.size(); unit++) {
            String count = matcher.group(unit + 1);
            sum = count == null ? sum : sum.plus(UNITS.get(unit).multipliedBy(Long.parseLong(count)));
        }
        return Optional.of(sum);
    }

    /** The text of a duration of whole milliseconds, in as few units as it takes. */
    public static String write(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        Duration left = duration;
        for (int unit = 0; unit < UNITS.size(); unit++) {
            long count = left.dividedBy(UNITS.get(unit));
            if (count > 0) {
                text.append(count).append(NAMES.get(unit));
                left = left.minus(UNITS.get(unit).multipliedBy(count));
            }
        }
        return text.toString();
    }
}
