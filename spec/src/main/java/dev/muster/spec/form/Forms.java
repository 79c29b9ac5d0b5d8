package dev.muster.spec.form;

import dev.muster.model.Nearest;
import dev.muster.spec.tree.Tree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Forms of single values, lists and mappings. */
public final class Forms {
    private static final Pattern WHOLE = Pattern.compile("[+-]?(0|[1-9]\\d{0,17})");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})");

    private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Map<String, String> TRUTHS = Map.of(
            "true", "true", "yes", "true", "on", "true", "1", "true", "false", "false", "no", "false", "off", "false",
            "0", "false");

    private Forms() {}

    /** Any text that a process could be given, at least one character that is no blank. */
    public static Form<String> text() {
        return at -> at.scalar("must be a text").flatMap(scalar -> {
            if (scalar.text().isBlank()) {
                return at.wrong("must not be empty");
            }
            return Bytes.passable(at, scalar.text());
        });
    }

    /**
     * A text of a certain shape.
     *
     * @param rule   completes the sentence "this ..."
     * @param mended a text that has the shape and may be meant; empty where there is none
     */
    public static Form<String> shaped(Pattern shape, String rule, Function<String, Optional<String>> mended) {
        return at -> at.scalar(rule)
                .flatMap(scalar -> shape.matcher(scalar.text()).matches()
                        ? Optional.of(scalar.text())
                        : at.wrong(rule + ", not " + At.shown(scalar.text()), mended.apply(scalar.text())));
    }

    /** A text of a certain shape, without a suggestion. */
    public static Form<String> shaped(Pattern shape, String rule) {
        return shaped(shape, rule, text -> Optional.empty());
    }

    /** {@code true} or {@code false}, without quotes, in the three spellings of YAML 1.2: so is Python's {@code True}. */
    public static Form<Boolean> truth() {
        return at -> at.scalar("must be true or false").flatMap(scalar -> {
            return scalar.plain() && TRUTH.matcher(scalar.text()).matches()
                    ? Optional.of(Boolean.valueOf(scalar.text()))
                    : at.wrong(
                            "must be true or false without quotes, not " + At.shown(scalar.text()),
                            Optional.ofNullable(TRUTHS.get(scalar.text().toLowerCase(Locale.ROOT))));
        });
    }

    /** A whole number between two bounds, both included, without quotes. */
    public static Form<Integer> whole(int min, int max) {
        String rule = "must be a whole number from " + min + " to " + max;
        return at -> at.scalar(rule).flatMap(scalar -> {
            if (!WHOLE.matcher(scalar.text()).matches()) {
                return at.wrong(rule + ", not " + At.shown(scalar.text()), meant(scalar.text(), min, max));
            }
            long number = Long.parseLong(scalar.text());
            if (number < min || number > max) {
                return at.wrong(rule + ", not " + number);
            }
            return scalar.plain()
                    ? Optional.of((int) number)
                    : at.wrong(rule + ", not a text in quotes", Optional.of(Long.toString(number)));
        });
    }

    /** The whole number in another spelling, such as {@code 2.0} or {@code 1,000}. */
    private static Optional<String> meant(String text, int min, int max) {
        String plain = text.strip().replaceAll("[_,' ]", "").replaceAll("\\.0+$", "");
        return WHOLE.matcher(plain).matches() && Long.parseLong(plain) >= min && Long.parseLong(plain) <= max
                ? Optional.of(plain)
                : Optional.empty();
    }

    /** A decimal number between two bounds, both included, without an exponent. */
    public static Form<BigDecimal> decimal(String min, String max) {
        String rule = "must be a number from " + min + " to " + max;
        return at -> at.scalar(rule).flatMap(scalar -> {
            if (!DECIMAL.matcher(scalar.text()).matches()) {
                return at.wrong(rule + ", not " + At.shown(scalar.text()));
            }
            BigDecimal number = new BigDecimal(scalar.text());
            boolean inside = number.compareTo(new BigDecimal(min)) >= 0 && number.compareTo(new BigDecimal(max)) <= 0;
            return inside ? Optional.of(number) : at.wrong(rule + ", not " + scalar.text());
        });
    }

    /** One of a closed set, in its own spelling. */
    public static <T> Form<T> choice(T[] all, Function<T, String> spelling) {
        return choice(Arrays.asList(all), List.of(), spelling);
    }

    /**
     * One of a closed set of which some are known by name only.
     *
     * @param now   what can be used
     * @param later what is read, for others to refuse, and never offered
     */
    public static <T> Form<T> choice(List<T> now, List<T> later, Function<T, String> spelling) {
        Map<String, T> choices = new LinkedHashMap<>();
        now.forEach(each -> choices.put(spelling.apply(each), each));
        List<String> offered = List.copyOf(choices.keySet());
        later.forEach(each -> choices.put(spelling.apply(each), each));
        String rule = "must be one of " + String.join(", ", offered)
                + (later.isEmpty()
                        ? ""
                        : " (" + String.join(", ", later.stream().map(spelling).toList())
                                + (later.size() == 1 ? " comes later)" : " come later)"));
        return at -> at.scalar(rule).flatMap(scalar -> {
            T chosen = choices.get(scalar.text());
            return chosen != null
                    ? Optional.of(chosen)
                    : at.wrong(rule + ", not " + At.shown(scalar.text()), Nearest.to(scalar.text(), offered));
        });
    }

    /** A list; items that cannot be read are left out, and told. */
    public static <T> Form<List<T>> list(Form<T> item) {
        return new Form<>() {
            @Override
            public Optional<List<T>> read(At at) {
                if (!(at.tree() instanceof Tree.Items(List<Tree> items))) {
                    return at.wrong("must be a list, not " + at.tree().kind());
                }
                List<T> values = new ArrayList<>();
                for (int index = 0; index < items.size(); index++) {
                    item.read(at.item(index, items.get(index))).ifPresent(values::add);
                }
                return Optional.of(List.copyOf(values));
            }

            @Override
            public Optional<Inside> inside() {
                return item.inside().map(inside -> new Inside("[]" + inside.step(), inside.block()));
            }
        };
    }

    /**
     * A mapping from names that users choose; entries that cannot be read are left out, and told.
     *
     * @param name form of the names; it is asked at the place of the entry
     */
    public static <T> Form<Map<String, T>> map(Form<String> name, Form<T> value) {
        return new Form<>() {
            @Override
            public Optional<Map<String, T>> read(At at) {
                if (!(at.tree() instanceof Tree.Entries(Map<String, Tree> entries))) {
                    return at.wrong("must be a mapping, not " + at.tree().kind());
                }
                Map<String, T> values = new LinkedHashMap<>();
                entries.forEach((key, tree) -> {
                    At place = at.field(key, tree);
                    Optional<String> legal = name.read(new At(place.path(), new Tree.Scalar(key, false), at.reading()));
                    Optional<T> read = value.read(place);
                    legal.ifPresent(known -> read.ifPresent(found -> values.put(known, found)));
                });
                return Optional.of(values);
            }

            @Override
            public Optional<Inside> inside() {
                return value.inside().map(inside -> new Inside(".NAME" + inside.step(), inside.block()));
            }
        };
    }
}
