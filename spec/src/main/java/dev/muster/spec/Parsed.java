package dev.muster.spec;

import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.util.List;
import java.util.Optional;

/**
 * What a job text says and what is wrong with it.
 *
 * @param draft    the job as far as it could be read: harmless values stand where a field is missing or wrong. It is there to be
 *                 checked further, so that one answer tells every problem, and never to be accepted. Empty when the text is no mapping
 * @param problems all that is wrong, in the order of the text as far as there is one
 */
public record Parsed(Optional<JobSpec> draft, List<Problem> problems) {
    public Parsed {
        problems = List.copyOf(problems);
    }

    /** The job, when nothing is wrong with it. */
    public Optional<JobSpec> spec() {
        return problems.isEmpty() ? draft : Optional.empty();
    }
}
