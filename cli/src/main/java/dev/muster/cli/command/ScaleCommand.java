package dev.muster.cli.command;

import dev.muster.api.ScaleRequest;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;

/** {@code scale ID ROLE=N}. */
public final class ScaleCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("scale", "change the size of an elastic job")
                .operand("ID", Options.JOB)
                .operand("ROLE=N", "role and the number of its members, such as worker=3");
    }

    @Override
    public ExitCode run(Session session) {
        ScaleRequest request = request(session.arguments().operand(1));
        JobActions.show(session, session.api().scale(session.arguments().operand(0), request));
        return ExitCode.DONE;
    }

    private static ScaleRequest request(String text) {
        int equals = text.indexOf('=');
        try {
            if (equals > 0) {
                return new ScaleRequest(text.substring(0, equals), Integer.parseInt(text.substring(equals + 1)));
            }
        } catch (NumberFormatException noNumber) {
            // Told below, as for a missing equals sign.
        }
        throw Failure.badField("ROLE=N", "is a role and a whole number, not " + text, "such as worker=3");
    }
}
