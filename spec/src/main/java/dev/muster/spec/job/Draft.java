package dev.muster.spec.job;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.spec.form.Values;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job as far as it could be read. Where a field is missing or wrong a harmless value stands in the specification, so that the rules
 * can be asked about all the rest; whether anything was wrong is told by the problems.
 *
 * @param job       the fields as given
 * @param roles     the fields of each role as given
 * @param framework the framework, when it could be read
 * @param spec      the specification
 */
public record Draft(Values job, Map<String, Values> roles, Optional<FrameworkKind> framework, JobSpec spec) {
    public Draft {
        roles = Collections.unmodifiableMap(new LinkedHashMap<>(roles));
    }
}
