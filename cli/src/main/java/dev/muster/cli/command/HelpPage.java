package dev.muster.cli.command;

import dev.muster.cli.arguments.Operand;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import java.util.function.Consumer;

/** What the commands are, and what each takes. */
final class HelpPage {
    private static final int COLUMN = 28;

    private HelpPage() {}

    static void writeAll(Consumer<String> lines) {
        lines.accept("Muster trains your code on a group of workers.");
        lines.accept("");
        lines.accept("usage: muster COMMAND [OPTIONS] [ARGUMENTS]      muster help COMMAND");
        lines.accept("");
        for (Command command : Commands.all()) {
            Syntax syntax = command.syntax();
            StringBuilder name = new StringBuilder(syntax.command());
            for (Operand operand : syntax.operands()) {
                name.append(operand.required() ? " " + operand.label() : " [" + operand.label() + "]");
            }
            line(name.toString(), syntax.summary(), lines);
        }
        lines.accept("");
        lines.accept("options of every command:");
        Syntax.EVERYWHERE.forEach(option -> option(option, lines));
        line("--version", "the build of this command line", lines);
        lines.accept("");
        lines.accept(
                "Without --server a command speaks to the service of this machine and starts it when there is none; its state");
        lines.accept("lies in ~/.muster, or in MUSTER_HOME. Not yet in this version: dataset, workflow, serve.");
        lines.accept(
                "Exit codes: 0 done, 1 the job failed, 2 bad input, 3 cancelled, 4 service not reached, 5 not found,");
        lines.accept("6 refused, 7 timed out, 70 fault in Muster, 130 left running.");
    }

    static void write(Syntax syntax, Consumer<String> lines) {
        lines.accept("usage: " + syntax.usage());
        lines.accept("");
        lines.accept("  " + syntax.summary());
        lines.accept("");
        for (Operand operand : syntax.operands()) {
            line(operand.label(), operand.meaning(), lines);
        }
        syntax.options().forEach(option -> option(option, lines));
        Syntax.EVERYWHERE.forEach(option -> option(option, lines));
        if (!syntax.details().isEmpty()) {
            lines.accept("");
            syntax.details().forEach(lines);
        }
    }

    private static void option(Option option, Consumer<String> lines) {
        String value = option.hasValue() ? " " + option.label() : "";
        line(
                String.join(", ", option.names()) + value,
                option.meaning() + (option.repeated() ? "; again and again" : ""),
                lines);
    }

    private static void line(String left, String right, Consumer<String> lines) {
        String gap = " ".repeat(Math.max(2, COLUMN - left.length()));
        lines.accept("  " + left + gap + right);
    }
}
