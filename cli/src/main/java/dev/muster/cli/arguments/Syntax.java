package dev.muster.cli.arguments;

import java.util.ArrayList;
import java.util.List;

/**
 * What may follow the words of a command.
 *
 * @param command one or two words
 * @param summary what it does, one line
 * @param details more to know, a line each
 */
public record Syntax(
        String command, String summary, List<Operand> operands, List<Option> options, List<String> details) {
    /** Options that every command takes. */
    public static final List<Option> EVERYWHERE = List.of(
            Option.value("-o --output", "FORMAT", "json: for scripts, one JSON document; text (default)"),
            Option.value("--server", "URL", "a service elsewhere (or MUSTER_SERVER, with MUSTER_TOKEN)"),
            Option.flag("-h --help", "this page"));

    public Syntax {
        operands = List.copyOf(operands);
        options = List.copyOf(options);
        details = List.copyOf(details);
    }

    public static Syntax of(String command, String summary) {
        return new Syntax(command, summary, List.of(), List.of(), List.of());
    }

    public Syntax operand(String label, String meaning) {
        return new Syntax(command, summary, plus(operands, new Operand(label, true, meaning)), options, details);
    }

    public Syntax optionalOperand(String label, String meaning) {
        return new Syntax(command, summary, plus(operands, new Operand(label, false, meaning)), options, details);
    }

    public Syntax option(Option option) {
        return new Syntax(command, summary, operands, plus(options, option), details);
    }

    public Syntax detail(String line) {
        return new Syntax(command, summary, operands, options, plus(details, line));
    }

    /** How it is called, on one line. */
    public String usage() {
        StringBuilder line = new StringBuilder("muster ").append(command);
        for (Option option : options) {
            String value = option.hasValue() ? " " + option.label() : "";
            line.append(" [").append(option.names().getFirst()).append(value).append(']');
            line.append(option.repeated() ? "..." : "");
        }
        for (Operand operand : operands) {
            line.append(operand.required() ? " " + operand.label() : " [" + operand.label() + "]");
        }
        return line.toString();
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> more = new ArrayList<>(list);
        more.add(one);
        return more;
    }
}
