package dev.muster.cli.arguments;

import dev.muster.api.FieldProblem;
import dev.muster.cli.base.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the arguments of one command, in the manner of getopt_long: {@code --name value}, {@code --name=value}, {@code -n value},
 * {@code -nvalue}, options and operands in any order, {@code --} before operands that look like options, {@code -} an operand.
 */
public final class ArgumentParser {
    private final Syntax syntax;
    private final List<Option> options = new ArrayList<>();
    private final List<String> operands = new ArrayList<>();
    private final Map<String, List<String>> values = new HashMap<>();

    private ArgumentParser(Syntax syntax) {
        this.syntax = syntax;
        options.addAll(syntax.options());
        options.addAll(Syntax.EVERYWHERE);
    }

    /**
     * Reads arguments that follow the words of the command.
     *
     * @throws Failure when they do not fit the syntax; help is not in the way of what is missing
     */
    public static Arguments parse(Syntax syntax, List<String> arguments) {
        ArgumentParser parser = new ArgumentParser(syntax);
        parser.read(arguments);
        Arguments result = new Arguments(parser.operands, parser.values);
        if (!result.has("--help")) {
            parser.checkOperands();
        }
        return result;
    }

    private void read(List<String> arguments) {
        boolean onlyOperands = false;
        for (int at = 0; at < arguments.size(); at++) {
            String argument = arguments.get(at);
            if (onlyOperands || !argument.startsWith("-") || argument.equals("-")) {
                operands.add(argument);
            } else if (argument.equals("--")) {
                onlyOperands = true;
            } else {
                Given given = given(argument);
                String value = given.value().orElse("");
                if (given.option().hasValue() && given.value().isEmpty()) {
                    at++;
                    if (at == arguments.size()) {
                        throw wrong(
                                argument,
                                "needs a value: " + argument + " "
                                        + given.option().label());
                    }
                    value = arguments.get(at);
                }
                values.computeIfAbsent(given.option().name(), name -> new ArrayList<>())
                        .add(value);
            }
        }
    }

    private record Given(Option option, Optional<String> value) {}

    private Given given(String argument) {
        boolean isLong = argument.startsWith("--");
        int equals = argument.indexOf('=');
        String name =
                isLong ? argument.substring(0, equals < 0 ? argument.length() : equals) : argument.substring(0, 2);
        Option option = find(name);
        String rest = argument.substring(name.length());
        if (rest.isEmpty()) {
            return new Given(option, Optional.empty());
        }
        if (!option.hasValue()) {
            throw wrong(name, "takes no value, and " + argument + " gives it one");
        }
        return new Given(option, Optional.of(isLong || rest.startsWith("=") ? rest.substring(1) : rest));
    }

    private Option find(String name) {
        for (Option option : options) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        List<String> known =
                options.stream().flatMap(option -> option.names().stream()).toList();
        throw unknown("'muster " + syntax.command() + "' has no option " + name, name, Nearest.to(name, known));
    }

    private void checkOperands() {
        int most = syntax.operands().size();
        if (operands.size() > most) {
            String extra = operands.get(most);
            throw wrong(extra, "is one argument too many: " + syntax.usage());
        }
        for (int place = operands.size(); place < most; place++) {
            Operand missing = syntax.operands().get(place);
            if (missing.required()) {
                throw wrong(missing.label(), "is missing (" + missing.meaning() + "): " + syntax.usage());
            }
        }
    }

    private Failure wrong(String field, String message) {
        return Failure.badInput(field + " " + message, List.of(new FieldProblem(field, message, Optional.of(help()))));
    }

    private Failure unknown(String detail, String name, Optional<String> nearest) {
        String suggestion = nearest.isPresent() ? "did you mean " + nearest.get() + "?" : help();
        return Failure.badInput(detail, List.of(new FieldProblem(name, "is not known", Optional.of(suggestion))));
    }

    private String help() {
        return "see: muster " + syntax.command() + " --help";
    }
}
