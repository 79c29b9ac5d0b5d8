package dev.muster.spec.job;

import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Elastic;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Keep;
import dev.muster.model.Limits;
import dev.muster.model.RestartPolicy;
import dev.muster.model.SuccessPolicy;
import dev.muster.spec.form.Values;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Puts a specification together: defaults filled in, short forms written out, required fields asked for. */
public final class JobAssembly {
    private JobAssembly() {}

    /** The job of these fields; what is missing is told to their places. */
    public static Draft draft(Values job) {
        job.require(JobFields.NAME, "my-training");
        job.require(JobFields.FRAMEWORK, FrameworkForm.names());
        Map<String, Values> roles = Roles.fields(job);
        JobSpec spec = new JobSpec(
                job.get(JobFields.NAME, "unnamed"),
                job.get(JobFields.FRAMEWORK, FrameworkKind.PLAIN),
                job.get(JobFields.BACKEND, BackendKind.LOCAL),
                Roles.specs(job, roles),
                job.get(JobFields.PROCESSES_PER_WORKER, 1),
                job.get(JobFields.CODE),
                job.get(JobFields.SECRETS, Map.of()),
                job.get(JobFields.DATA, Map.of()),
                job.get(JobFields.MODEL).flatMap(JobAssembly::model),
                job.get(JobFields.CHECKPOINTS).map(JobAssembly::checkpoints).orElse(CheckpointPolicy.DEFAULT),
                job.get(JobFields.SUCCESS, new SuccessPolicy.Default()),
                job.get(JobFields.RESTART).map(RestartFields::policy).orElse(RestartPolicy.NEVER),
                job.get(JobFields.ELASTIC).flatMap(JobAssembly::elastic),
                job.get(JobFields.STANDBY, 0),
                limits(job),
                job.get(JobFields.QUEUE, "default"),
                job.get(JobFields.PRIORITY, 0),
                job.get(JobFields.SUSPENDED, false),
                job.get(JobFields.KEEP).map(JobAssembly::keep).orElse(Keep.DEFAULT),
                OptionFields.options(job));
        return new Draft(job, roles, job.get(JobFields.FRAMEWORK), spec);
    }

    private static Optional<String> model(Values model) {
        model.require(JobFields.MODEL_NAME, "{name: my-model}");
        return model.get(JobFields.MODEL_NAME);
    }

    private static CheckpointPolicy checkpoints(Values values) {
        return new CheckpointPolicy(
                values.get(JobFields.KEEP_CHECKPOINTS, OptionalInt.empty()),
                values.get(JobFields.EVERY),
                values.get(JobFields.FROM));
    }

    private static Optional<Elastic> elastic(Values values) {
        values.require(JobFields.MIN, "1");
        values.require(JobFields.MAX, "4");
        Optional<Integer> min = values.get(JobFields.MIN);
        Optional<Integer> max = values.get(JobFields.MAX);
        if (min.isEmpty() || max.isEmpty()) {
            return Optional.empty();
        }
        return min.get() <= max.get()
                ? Optional.of(new Elastic(min.get(), max.get()))
                : values.at(JobFields.MAX).wrong("must not be less than min, which is " + min.get());
    }

    private static Limits limits(Values job) {
        return new Limits(
                job.get(JobFields.DEADLINE),
                job.get(JobFields.START_DEADLINE, Limits.DEFAULT.startDeadline()),
                job.get(JobFields.QUEUE_DEADLINE),
                job.get(JobFields.STALL_TIMEOUT),
                job.get(JobFields.GRACE, Limits.DEFAULT.grace()));
    }

    private static Keep keep(Values values) {
        return new Keep(
                values.get(JobFields.KEEP_PROCESSES, Keep.DEFAULT.processes()),
                values.get(JobFields.KEEP_LOGS, Keep.DEFAULT.logs()),
                values.get(JobFields.KEEP_RECORDS, Keep.DEFAULT.records()));
    }
}
