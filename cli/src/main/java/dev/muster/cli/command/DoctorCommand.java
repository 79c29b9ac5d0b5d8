package dev.muster.cli.command;

import dev.muster.api.Page;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.doctor.Doctor;
import dev.muster.cli.doctor.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code doctor}: what this machine has and lacks. */
public final class DoctorCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of(
                "doctor", "what this machine has, what it lacks, and which guarantees do not hold because of that");
    }

    @Override
    public ExitCode run(Session session) {
        List<Finding> findings = Doctor.look(session.surroundings(), session.server(), session::api);
        if (session.json()) {
            session.write(new Page<>(findings, Optional.empty()).toJson());
            return ExitCode.DONE;
        }
        for (Finding finding : findings) {
            String state = finding.state().name().toLowerCase(Locale.ROOT);
            session.say(pad(state, 9) + pad(finding.name(), 12) + finding.detail());
            finding.fix().ifPresent(fix -> session.say(" ".repeat(21) + "fix: " + fix));
        }
        long bad = findings.stream()
                .filter(finding -> finding.state().needsALook())
                .count();
        session.say(bad == 0 ? "everything is there" : bad + " of " + findings.size() + " need a look");
        return ExitCode.DONE;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
