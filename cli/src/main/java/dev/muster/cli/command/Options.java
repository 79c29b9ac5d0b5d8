package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.cli.arguments.Arguments;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.base.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Options that several commands share, and how they are read. */
final class Options {
    static final Option SET =
            Option.repeated("--set", "PATH=VALUE", "override a field of the job text, such as --set workers=4");
    static final Option FOLLOW = Option.flag("-f --follow", "go on until the job ends");
    static final String JOB = "id, unique beginning of an id, or name (the live job, else the newest)";

    private Options() {}

    /** The overrides, each with an equals sign behind a path. */
    static List<String> sets(Arguments arguments) {
        List<FieldProblem> problems = new ArrayList<>();
        for (String set : arguments.values("--set")) {
            if (set.indexOf('=') <= 0) {
                problems.add(new FieldProblem(
                        "--set", "is path=value, not " + set, Optional.of("such as --set restart.max=3")));
            }
        }
        if (!problems.isEmpty()) {
            throw Failure.badInput("an override is wrong", problems);
        }
        return arguments.values("--set");
    }

    /** A whole number from 1 to most. */
    static Optional<Integer> number(Arguments arguments, String option, int most) {
        Optional<String> text = arguments.value(option);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= 1 && number <= most) {
                return Optional.of(number);
            }
        } catch (NumberFormatException noNumber) {
            // Told below, as for a number out of range.
        }
        throw Failure.badField(option, "is a whole number from 1 to " + most + ", not " + text.get(), option + " 10");
    }
}
