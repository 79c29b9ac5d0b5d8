package dev.muster.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.util.List;

/** Job texts for tests. */
final class Texts {
    /** The least a job text holds. */
    static final String LEAST = """
            name: demo
            framework: plain
            command: [python, train.py]
            """;

    private Texts() {}

    static Parsed parse(String text, String... sets) {
        return JobText.parse(text, List.of(sets), Frameworks::of);
    }

    /** The job of a text that has no problem. */
    static JobSpec job(String text, String... sets) {
        Parsed parsed = parse(text, sets);
        assertThat(parsed.problems()).isEmpty();
        return parsed.spec().orElseThrow();
    }

    /** The problems of a text that has some; there is no job then. */
    static List<Problem> problems(String text, String... sets) {
        Parsed parsed = parse(text, sets);
        assertThat(parsed.problems()).isNotEmpty();
        assertThat(parsed.spec()).isEmpty();
        return parsed.problems();
    }

    static List<String> fields(String text, String... sets) {
        return problems(text, sets).stream().map(Problem::field).toList();
    }
}
