package dev.muster.cli.command;

import dev.muster.cli.arguments.Operand;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import java.util.List;

/** A command of the contract that this version does not have yet: says so, whatever is given. */
public record LaterCommand(String name, String purpose) implements Command {
    /** Words that stand for it. */
    static final List<LaterCommand> ALL = List.of(
            new LaterCommand("dataset", "versions of data"),
            new LaterCommand("workflow", "steps that build on each other"),
            new LaterCommand("serve", "answer requests with a registered model"));

    @Override
    public Syntax syntax() {
        return new Syntax(name, purpose, List.of(new Operand("...", false, "")), List.of(), List.of());
    }

    @Override
    public ExitCode run(Session session) {
        throw refusal();
    }

    Failure refusal() {
        return Failure.badInput("'muster " + name + "' (" + purpose + ") is not yet in this version");
    }
}
