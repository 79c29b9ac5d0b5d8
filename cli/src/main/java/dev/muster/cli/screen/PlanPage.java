package dev.muster.cli.screen;

import dev.muster.api.PlanDocument;
import dev.muster.api.PlannedProcess;
import dev.muster.cli.format.Counts;
import dev.muster.cli.format.Sizes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A plan for people: for each process its command, its environment and the files made for it. Values are quoted as a shell takes them. Of a long file,
 * such as a program of Muster's own, only name and size are shown: the document holds all of it.
 */
public final class PlanPage {
    private static final int MOST_LINES = 20;
    private static final int MOST_CHARACTERS = 2_000;

    private PlanPage() {}

    public static void write(PlanDocument plan, Consumer<String> lines) {
        String addresses =
                plan.addresses().equals("sample") ? "addresses and ports are samples" : "with real addresses";
        int count = plan.processes().size();
        lines.accept(Counts.of(count, "process", "processes") + " on backend " + plan.backend() + ", " + addresses);
        for (PlannedProcess process : plan.processes()) {
            lines.accept("");
            String rank =
                    process.rank().isPresent() ? "  rank " + process.rank().getAsInt() : "";
            String local = process.localRank().isPresent()
                    ? "  local rank " + process.localRank().getAsInt()
                    : "";
            lines.accept(process.name() + rank + local);
            lines.accept("  " + ShellWords.join(process.argv()));
            for (Map.Entry<String, String> variable : process.env().entrySet()) {
                lines.accept("    " + variable.getKey() + "=" + ShellWords.quote(variable.getValue()));
            }
            for (Map.Entry<String, String> file : process.files().entrySet()) {
                file(file.getKey(), file.getValue(), lines);
            }
        }
    }

    private static void file(String name, String text, Consumer<String> lines) {
        long count = text.lines().count();
        if (count > MOST_LINES || text.length() > MOST_CHARACTERS) {
            lines.accept("  file " + name + "  " + Counts.of(count, "line", "lines") + ", "
                    + Sizes.show(text.getBytes(StandardCharsets.UTF_8).length) + ": shown by -o json");
        } else {
            lines.accept("  file " + name);
            text.lines().forEach(line -> lines.accept("    | " + line));
        }
    }
}
