package dev.muster.spec.job;

import dev.muster.model.CheckpointPolicy;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Keep;
import dev.muster.model.Limits;
import dev.muster.model.RestartPolicy;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Field;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** A specification as the mapping that job text has for it, in a fixed order. */
public final class JobForm {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    JobForm() {}

    /** The whole job. */
    public static Map<String, Object> of(JobSpec spec) {
        JobForm form = new JobForm()
                .put(JobFields.NAME, spec.name())
                .put(JobFields.FRAMEWORK, spec.framework().text())
                .put(JobFields.BACKEND, spec.backend().text());
        RolesForm.write(spec, form);
        form.put(JobFields.PROCESSES_PER_WORKER, spec.processesPerWorker()).put(JobFields.CODE, spec.code());
        Map<String, Object> secrets = new TreeMap<>();
        spec.secrets().forEach((name, source) -> secrets.put(name, Map.of(EnvFields.SOURCE.name(), source)));
        form.put(JobFields.SECRETS, secrets)
                .put(JobFields.DATA, new TreeMap<>(spec.data()))
                .put(JobFields.MODEL, spec.model().map(name -> Map.of(JobFields.MODEL_NAME.name(), name)))
                .put(JobFields.CHECKPOINTS, checkpoints(spec.checkpoints()))
                .put(JobFields.SUCCESS, spec.success().text())
                .put(JobFields.RESTART, restart(spec.restart()))
                .put(
                        JobFields.ELASTIC,
                        spec.elastic()
                                .map(bounds -> new JobForm()
                                        .put(JobFields.MIN, bounds.min())
                                        .put(JobFields.MAX, bounds.max())
                                        .fields()))
                .put(JobFields.STANDBY, Optional.of(spec.standby()).filter(count -> count > 0));
        limits(spec.limits(), form);
        form.put(JobFields.QUEUE, spec.queue())
                .put(JobFields.PRIORITY, spec.priority())
                .put(JobFields.SUSPENDED, spec.suspended())
                .put(JobFields.KEEP, keep(spec.keep()));
        OptionsForm.write(
                spec.options(),
                spec.framework() == FrameworkKind.TENSORFLOW,
                spec.framework() == FrameworkKind.PYTORCH,
                form);
        return form.fields();
    }

    /** Sets a field; an empty optional leaves it out. */
    JobForm put(Field<?> field, Object value) {
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (present != null) {
            fields.put(field.name(), present);
        }
        return this;
    }

    Map<String, Object> fields() {
        return fields;
    }

    private static Map<String, Object> checkpoints(CheckpointPolicy policy) {
        return new JobForm()
                .put(
                        JobFields.KEEP_CHECKPOINTS,
                        policy.keep().isPresent() ? (Object) policy.keep().getAsInt() : "all")
                .put(JobFields.EVERY, policy.every().map(Durations::write))
                .put(JobFields.FROM, policy.from())
                .fields();
    }

    private static Map<String, Object> restart(RestartPolicy policy) {
        return new JobForm()
                .put(RestartFields.MAX, policy.max())
                .put(
                        RestartFields.BACKOFF,
                        new JobForm()
                                .put(
                                        RestartFields.FIRST,
                                        Durations.write(policy.backoff().first()))
                                .put(
                                        RestartFields.FACTOR,
                                        BigDecimal.valueOf(policy.backoff().factor()))
                                .put(
                                        RestartFields.LONGEST,
                                        Durations.write(policy.backoff().max()))
                                .fields())
                .put(
                        RestartFields.RULES,
                        policy.rules().stream().map(JobForm::rule).toList())
                .fields();
    }

    private static Map<String, Object> rule(RestartPolicy.Rule rule) {
        return new JobForm()
                .put(RestartFields.EXIT_CODES, new TreeSet<>(rule.exitCodes()))
                .put(RestartFields.SIGNALS, new TreeSet<>(rule.signals()))
                .put(RestartFields.LOG, rule.log().map(Object::toString))
                .put(RestartFields.ACTION, rule.action().name().toLowerCase(Locale.ROOT))
                .put(RestartFields.COUNTED, rule.counted())
                .put(RestartFields.SCOPE, rule.scope().text())
                .fields();
    }

    private static void limits(Limits limits, JobForm form) {
        form.put(JobFields.DEADLINE, limits.deadline().map(Durations::write))
                .put(JobFields.START_DEADLINE, Durations.write(limits.startDeadline()))
                .put(JobFields.QUEUE_DEADLINE, limits.queueDeadline().map(Durations::write))
                .put(JobFields.STALL_TIMEOUT, limits.stallTimeout().map(StallForm::write))
                .put(JobFields.GRACE, Durations.write(limits.grace()));
    }

    private static Map<String, Object> keep(Keep keep) {
        return new JobForm()
                .put(JobFields.KEEP_PROCESSES, orForever(keep.processes()))
                .put(JobFields.KEEP_LOGS, orForever(keep.logs()))
                .put(JobFields.KEEP_RECORDS, orForever(keep.records()))
                .fields();
    }

    private static String orForever(Optional<Duration> duration) {
        return duration.map(Durations::write).orElse("forever");
    }
}
