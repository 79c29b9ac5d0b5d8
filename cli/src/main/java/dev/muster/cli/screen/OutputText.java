package dev.muster.cli.screen;

import dev.muster.cli.follow.Sight;
import dev.muster.cli.format.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Lines of output as a view shows them: harmless for the terminal, of a bounded length, without reports. */
public final class OutputText {
    private static final int LONGEST = 4_000;
    /** Begins a line that reports progress, which a view shows in its own way; the log has the line. */
    public static final String REPORT = "::muster::";

    private OutputText() {}

    /** The text of a line that begins; empty when there is nothing to show. */
    public static Optional<String> of(Sight.Output output) {
        if (!output.begins()) {
            return Optional.empty();
        }
        String text = PlainText.of(new String(output.bytes(), StandardCharsets.UTF_8).stripTrailing());
        String prefix = output.process().isEmpty() ? "" : output.process() + " | ";
        if (text.startsWith(prefix + REPORT)) {
            return Optional.empty();
        }
        if (text.length() <= LONGEST && output.ends()) {
            return Optional.of(text);
        }
        String beginning = text.substring(0, Math.min(LONGEST, text.length()));
        return Optional.of(beginning + " ... (a very long line; muster logs has all of it)");
    }
}
