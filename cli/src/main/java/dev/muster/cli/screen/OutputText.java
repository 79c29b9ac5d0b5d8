package dev.muster.cli.screen;

import dev.muster.cli.follow.Sight;
import dev.muster.cli.format.PlainText;
import java.nio.charset.StandardCharsets;

/** Lines of output as a view shows them: harmless for the terminal, and of a bounded length. */
final class OutputText {
    private static final int LONGEST = 4_000;

    private OutputText() {}

    static String of(Sight.Output output) {
        if (!output.begins()) {
            return "";
        }
        String text = PlainText.of(new String(output.bytes(), StandardCharsets.UTF_8).stripTrailing());
        if (text.length() <= LONGEST && output.ends()) {
            return text;
        }
        return text.substring(0, Math.min(LONGEST, text.length()))
                + " ... (a very long line; muster logs has all of it)";
    }
}
