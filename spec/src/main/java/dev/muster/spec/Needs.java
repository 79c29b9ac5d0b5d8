package dev.muster.spec;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the submitter of a job has to send along with its text.
 *
 * @param code            folder of the training code, relative to the job file
 * @param requirements    requirements files, by the names used in the text
 * @param secretVariables variables of the submitter whose values are the secrets
 */
public record Needs(Optional<String> code, Set<String> requirements, Set<String> secretVariables) {
    public Needs {
        requirements = Collections.unmodifiableSet(new TreeSet<>(requirements));
        secretVariables = Collections.unmodifiableSet(new TreeSet<>(secretVariables));
    }

    /** The needs of a job. */
    public static Needs of(JobSpec spec) {
        Set<String> requirements = new TreeSet<>();
        spec.roles()
                .values()
                .forEach(role -> role.environment()
                        .python()
                        .flatMap(EnvironmentSpec.Python::requirements)
                        .ifPresent(requirements::add));
        return new Needs(spec.code(), requirements, Set.copyOf(spec.secrets().values()));
    }
}
