package dev.muster.spec.job;

import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartPolicy.Backoff;
import dev.muster.model.RestartPolicy.Rule;
import dev.muster.model.RestartScope;
import dev.muster.model.Signals;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Form;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** {@code restart}: when and how often a failed job is tried again. */
final class RestartFields {
    static final Field<Duration> FIRST = new Field<>("first", Durations.fromZero());
    static final Field<BigDecimal> FACTOR = new Field<>("factor", Forms.decimal("1", "1000"));
    static final Field<Duration> LONGEST = new Field<>("max", Durations.fromZero());

    static final Field<List<Integer>> EXIT_CODES = new Field<>("exitCodes", Forms.list(Forms.whole(1, 255)));
    static final Field<List<String>> SIGNALS = new Field<>("signals", Forms.list(RestartFields::signal));
    static final Field<Pattern> LOG = new Field<>("log", RestartFields::pattern);
    static final Field<Action> ACTION = new Field<>(
            "action", Forms.choice(Action.values(), action -> action.name().toLowerCase(Locale.ROOT)));
    static final Field<Boolean> COUNTED = new Field<>("counted", Forms.truth());
    static final Field<RestartScope> SCOPE =
            new Field<>("scope", Forms.choice(RestartScope.values(), RestartScope::text));

    static final Field<Integer> MAX = new Field<>("max", Forms.whole(0, 1_000_000));
    static final Field<Backoff> BACKOFF =
            new Field<>("backoff", of(Block.of(FIRST, FACTOR, LONGEST), RestartFields::backoff));
    static final Field<List<Rule>> RULES = new Field<>(
            "rules", Forms.list(of(Block.of(EXIT_CODES, SIGNALS, LOG, ACTION, COUNTED, SCOPE), RestartFields::rule)));
    static final Block BLOCK = Block.of(MAX, BACKOFF, RULES);

    private RestartFields() {}

    static RestartPolicy policy(Values values) {
        return new RestartPolicy(
                values.get(MAX, 0), values.get(BACKOFF, Backoff.DEFAULT), values.get(RULES, List.of()));
    }

    private interface Made<T> {
        Optional<T> from(At at, Values values);
    }

    /** A block that becomes one value, known inside as the block it is. */
    private static <T> Form<T> of(Block block, Made<T> made) {
        return new Form<>() {
            @Override
            public Optional<T> read(At at) {
                return block.read(at).flatMap(values -> made.from(at, values));
            }

            @Override
            public Optional<Inside> inside() {
                return block.inside();
            }
        };
    }

    private static Optional<Backoff> backoff(At at, Values values) {
        Duration first = values.get(FIRST, Backoff.DEFAULT.first());
        Duration longest =
                values.get(LONGEST).orElse(first.compareTo(Backoff.DEFAULT.max()) > 0 ? first : Backoff.DEFAULT.max());
        if (longest.compareTo(first) < 0) {
            return values.at(LONGEST).wrong("must not be less than first, which is " + Durations.write(first));
        }
        double factor = values.get(FACTOR).map(BigDecimal::doubleValue).orElse(Backoff.DEFAULT.factor());
        return Optional.of(new Backoff(first, factor, longest));
    }

    private static Optional<Rule> rule(At at, Values values) {
        List<Integer> codes = values.get(EXIT_CODES, List.of());
        List<String> signals = values.get(SIGNALS, List.of());
        if (codes.isEmpty() && signals.isEmpty() && values.get(LOG).isEmpty()) {
            boolean told = Stream.of(EXIT_CODES, SIGNALS, LOG)
                    .filter(values::has)
                    .anyMatch(field -> !values.at(field).tree().equals(new Tree.Items(List.of())));
            return told ? Optional.empty() : at.wrong("needs a condition: at least one of exitCodes, signals, log");
        }
        return Optional.of(new Rule(
                Set.copyOf(codes),
                Set.copyOf(signals),
                values.get(LOG),
                values.get(ACTION, Action.RESTART),
                values.get(COUNTED, true),
                values.get(SCOPE, RestartScope.DEFAULT)));
    }

    private static Optional<String> signal(At at) {
        String rule = "must be a signal's name without SIG, such as KILL";
        return at.scalar(rule).flatMap(scalar -> {
            String name = scalar.text().toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
            return Signals.isName(scalar.text())
                    ? Optional.of(scalar.text())
                    : at.wrong(
                            rule + ", not " + At.shown(scalar.text()),
                            Optional.of(name).filter(Signals::isName));
        });
    }

    private static Optional<Pattern> pattern(At at) {
        return Forms.text().read(at).flatMap(text -> {
            try {
                return Optional.of(Pattern.compile(text));
            } catch (PatternSyntaxException wrong) {
                return at.wrong(
                        "is no regular expression: " + wrong.getDescription() + " near index " + wrong.getIndex());
            }
        });
    }
}
