package dev.muster.control;

import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Draws docs/states.md from the table. Run its main in the repository root after the table has changed. */
final class StatesDiagram {
    static final Path FILE = Path.of("docs", "states.md");

    private StatesDiagram() {}

    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, text());
    }

    static String text() {
        StringBuilder text = new StringBuilder("""
                # States of a job

                Drawn from `JobTransition`, the one table of steps: a store refuses every other. Do not edit; see
                `StatesDiagram` in the tests of `control`.

                ```mermaid
                stateDiagram-v2
                """);
        for (JobTransition row : JobTransition.values()) {
            String from = row.from().map(JobState::text).orElse("[*]");
            text.append("    %s --> %s\n".formatted(from, row.to().text()));
        }
        for (JobState state : JobState.values()) {
            if (state.isFinal()) {
                text.append("    %s --> [*]\n".formatted(state.text()));
            }
        }
        text.append("""
                ```

                | step | from | to | when |
                | --- | --- | --- | --- |
                """);
        for (JobTransition row : JobTransition.values()) {
            String from = row.from().map(JobState::text).orElse("");
            text.append("| %s | %s | %s | %s |\n"
                    .formatted(row.name(), from, row.to().text(), row.when()));
        }
        return text.toString();
    }
}
