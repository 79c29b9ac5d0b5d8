package dev.muster.server.jobs;

import dev.muster.control.Jobs;
import dev.muster.model.JobSpec;
import dev.muster.model.Origin;
import dev.muster.model.Problem;
import java.util.List;

/** What is wrong with a job in the eyes of what this service has. */
final class SpecCheck {
    private final Jobs jobs;
    private final AbsentBackends absent;
    private final InterpreterCheck interpreters;

    SpecCheck(Jobs jobs, AbsentBackends absent, InterpreterCheck interpreters) {
        this.jobs = jobs;
        this.absent = absent;
        this.interpreters = interpreters;
    }

    /** Its framework, its backend, what it asks for. */
    List<Problem> of(JobSpec spec) {
        return absent.explained(spec, jobs.check(spec));
    }

    /** The Python it names. */
    List<Problem> interpreters(JobSpec spec, Origin origin) {
        return interpreters.of(spec, origin);
    }
}
