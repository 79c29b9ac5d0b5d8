package dev.muster.server.jobs;

import dev.muster.api.PlanDocument;
import dev.muster.api.PlannedProcess;
import dev.muster.control.Launches;
import dev.muster.control.Ports;
import dev.muster.control.StartingPoint;
import dev.muster.model.Attempt;
import dev.muster.model.Checkpoint;
import dev.muster.model.Group;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.server.http.ProblemException;
import dev.muster.spi.Backend;
import dev.muster.spi.Clock;
import dev.muster.spi.Ids;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import dev.muster.spi.Rendered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows what is launched for a job, by the very calls that launch it. Values of secrets are replaced. Nothing is stored or built. */
final class Plans {
    private static final String SAMPLE = "sample";
    private static final String REAL = "real";

    private final Ports ports;
    private final Ids ids;
    private final Clock clock;
    private final StartingPoint startingPoint;

    Plans(Ports ports, Ids ids, Clock clock, StartingPoint startingPoint) {
        this.ports = ports;
        this.ids = ids;
        this.clock = clock;
        this.startingPoint = startingPoint;
    }

    /** What a submission of this job would launch first: the next id, addresses of the right form. */
    PlanDocument sample(JobSpec spec, Origin origin) {
        JobRecord job = new JobRecord(
                ids.next(),
                spec,
                origin,
                JobRecord.Status.of(JobState.QUEUED),
                JobRecord.Counters.ZERO,
                JobRecord.Times.acceptedAt(clock.now()),
                Placement.NONE,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                1);
        return document(placed(job), SAMPLE);
    }

    /** What the job's newest attempts were given; what the first would get while it has none. */
    PlanDocument of(JobRecord job) {
        boolean real = !job.placement().hosts().isEmpty();
        return real ? document(job, REAL) : document(placed(job), SAMPLE);
    }

    private JobRecord placed(JobRecord job) {
        JobSpec spec = job.spec();
        try {
            Optional<String> resumeFrom =
                    startingPoint.choose(job, true).checkpoint().map(Checkpoint::path);
            return new JobRecord(
                    job.id(),
                    spec,
                    job.origin(),
                    job.status(),
                    job.counters(),
                    job.times(),
                    backend(spec).sample(spec, plan(spec)),
                    resumeFrom,
                    job.processes(),
                    job.model(),
                    job.version());
        } catch (StartingPoint.UnusableException nothingThere) {
            throw ProblemException.invalid("checkpoints.from", nothingThere.getMessage());
        }
    }

    private PlanDocument document(JobRecord job, String addresses) {
        Map<String, Interpreter> interpreters = interpreters(job);
        Map<String, String> secrets = new HashMap<>();
        job.spec().secretVariables().forEach(variable -> secrets.put(variable, PlannedProcess.SECRET));
        List<PlannedProcess> processes = new ArrayList<>();
        for (ProcessPlan process : plan(job.spec()).processes()) {
            ProcessName name = process.name();
            ProcessKey key = new ProcessKey(job.id(), name, attempt(job, name));
            Rendered given =
                    backend(job.spec()).render(Launches.of(job, key, process, interpreters.get(name.role()), secrets));
            processes.add(new PlannedProcess(
                    name.toString(),
                    name.role(),
                    name.index(),
                    process.rank(),
                    process.localRank(),
                    given.argv(),
                    given.env(),
                    given.files()));
        }
        return new PlanDocument(job.spec().backend().text(), addresses, processes);
    }

    private static int attempt(JobRecord job, ProcessName name) {
        return job.processes().stream()
                .filter(attempt -> attempt.name().equals(name))
                .mapToInt(Attempt::attempt)
                .findFirst()
                .orElse(1);
    }

    private Map<String, Interpreter> interpreters(JobRecord job) {
        Map<String, Interpreter> byRole = new HashMap<>();
        boolean bringsItsOwn = backend(job.spec()).hasOwnPython();
        job.spec().everyRole().forEach((role, spec) -> {
            if (bringsItsOwn) {
                byRole.put(role, Interpreter.NONE);
                return;
            }
            try {
                byRole.put(role, ports.environments().locate(spec.environment(), job.origin()));
            } catch (EnvironmentException wrong) {
                throw ProblemException.invalid(JobRoutes.fields(List.of(InterpreterCheck.problem(wrong))));
            }
        });
        return byRole;
    }

    private LaunchPlan plan(JobSpec spec) {
        return ports.frameworks()
                .get(spec.framework())
                .plan(spec, Group.largest(spec))
                .of(Group.of(spec));
    }

    private Backend backend(JobSpec spec) {
        return ports.backends().get(spec.backend());
    }
}
