package dev.muster.spec.job;

import dev.muster.model.BackendKind;
import dev.muster.model.Command;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Nearest;
import dev.muster.model.StallTimeout;
import dev.muster.model.SuccessPolicy;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Names;
import dev.muster.spec.form.Values;
import dev.muster.spec.form.Vocabulary;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every field at the top of a job text. */
public final class JobFields {
    static final Field<String> NAME = new Field<>("name", Names.label(40));
    static final Field<FrameworkKind> FRAMEWORK = new Field<>("framework", FrameworkForm.framework());
    static final Field<BackendKind> BACKEND =
            new Field<>("backend", Forms.choice(BackendKind.values(), BackendKind::text));
    static final Field<Integer> WORKERS = new Field<>("workers", Forms.whole(1, RoleFields.MOST));
    static final Field<Map<String, Values>> ROLES = new Field<>("roles", Forms.map(Names.label(40), RoleFields.BLOCK));
    static final Field<Integer> PROCESSES_PER_WORKER = new Field<>("processesPerWorker", Forms.whole(1, 1024));
    static final Field<Command> COMMAND = RoleFields.COMMAND;
    static final Field<String> CODE = new Field<>("code", Paths.path());
    static final Field<Values> ENVIRONMENT = RoleFields.ENVIRONMENT;
    static final Field<Map<String, String>> ENV = RoleFields.ENV;
    static final Field<Map<String, String>> SECRETS = new Field<>("secrets", EnvFields.secrets());
    static final Field<Values> RESOURCES = RoleFields.RESOURCES;
    static final Field<Map<String, String>> DATA = new Field<>("data", Forms.map(Paths.dataName(), Paths.data()));

    static final Field<String> MODEL_NAME = new Field<>("name", Names.object());
    static final Field<Values> MODEL = new Field<>("model", Block.of(MODEL_NAME));

    static final Field<OptionalInt> KEEP_CHECKPOINTS = new Field<>("keep", JobFields::checkpointsKept);
    static final Field<Duration> EVERY = new Field<>("every", Durations.positive());
    static final Field<String> FROM = new Field<>("from", Paths.path());
    static final Field<Values> CHECKPOINTS = new Field<>("checkpoints", Block.of(KEEP_CHECKPOINTS, EVERY, FROM));

    static final Field<SuccessPolicy> SUCCESS = new Field<>("success", JobFields::success);
    static final Field<Values> RESTART = new Field<>("restart", RestartFields.BLOCK);

    static final Field<Integer> MIN = new Field<>("min", Forms.whole(1, RoleFields.MOST));
    static final Field<Integer> MAX = new Field<>("max", Forms.whole(1, RoleFields.MOST));
    static final Field<Values> ELASTIC = new Field<>("elastic", Block.of(MIN, MAX));
    static final Field<Integer> STANDBY = new Field<>("standby", Forms.whole(0, 64));

    static final Field<Duration> DEADLINE = new Field<>("deadline", Durations.positive());
    static final Field<Duration> START_DEADLINE = new Field<>("startDeadline", Durations.positive());
    static final Field<Duration> QUEUE_DEADLINE = new Field<>("queueDeadline", Durations.positive());
    static final Field<StallTimeout> STALL_TIMEOUT = new Field<>("stallTimeout", StallForm.FORM);
    static final Field<Duration> GRACE = new Field<>("grace", Durations.fromZero());

    static final Field<String> QUEUE = new Field<>("queue", Names.label(63));
    static final Field<Integer> PRIORITY = new Field<>("priority", Forms.whole(-1_000_000, 1_000_000));
    static final Field<Boolean> SUSPENDED = new Field<>("suspended", Forms.truth());

    static final Field<Optional<Duration>> KEEP_PROCESSES = new Field<>("processes", Durations.orForever());
    static final Field<Optional<Duration>> KEEP_LOGS = new Field<>("logs", Durations.orForever());
    static final Field<Optional<Duration>> KEEP_RECORDS = new Field<>("records", Durations.orForever());
    static final Field<Values> KEEP = new Field<>("keep", Block.of(KEEP_PROCESSES, KEEP_LOGS, KEEP_RECORDS));

    static final Field<Values> TENSORFLOW = new Field<>("tensorflow", OptionFields.TENSORFLOW);
    static final Field<Values> PYTORCH = new Field<>("pytorch", OptionFields.PYTORCH);
    static final Field<Values> LOCAL = new Field<>("local", OptionFields.LOCAL);
    static final Field<Values> NETWORK = new Field<>("network", OptionFields.NETWORK);
    static final Field<Values> DOCKER = new Field<>("docker", OptionFields.DOCKER);
    static final Field<Values> KUBERNETES = new Field<>("kubernetes", OptionFields.KUBERNETES);

    public static final Block BLOCK = Block.of(
            NAME,
            FRAMEWORK,
            WORKERS,
            ROLES,
            PROCESSES_PER_WORKER,
            COMMAND,
            CODE,
            ENVIRONMENT,
            ENV,
            SECRETS,
            RESOURCES,
            DATA,
            MODEL,
            CHECKPOINTS,
            SUCCESS,
            RESTART,
            ELASTIC,
            STANDBY,
            DEADLINE,
            START_DEADLINE,
            QUEUE_DEADLINE,
            STALL_TIMEOUT,
            GRACE,
            QUEUE,
            PRIORITY,
            SUSPENDED,
            KEEP,
            BACKEND,
            TENSORFLOW,
            PYTORCH,
            LOCAL,
            NETWORK,
            DOCKER,
            KUBERNETES);

    /** The names above, and what other systems call them. */
    public static final Vocabulary VOCABULARY = new Vocabulary(
            BLOCK,
            Map.ofEntries(
                    Map.entry("replicas", "count, under roles.NAME"),
                    Map.entry("instances", "workers"),
                    Map.entry("nodes", "workers"),
                    Map.entry("algorithm", "framework"),
                    Map.entry("args", "command takes the program and its arguments"),
                    Map.entry("entrypoint", "command"),
                    Map.entry("script", "command"),
                    Map.entry("restartLimit", "max, under restart"),
                    Map.entry("restartPolicy", "restart: {max, rules}"),
                    Map.entry("backoffLimit", "max, under restart"),
                    Map.entry("maxRestarts", "max, under restart"),
                    Map.entry("retries", "max, under restart"),
                    Map.entry("cleanPodPolicy", "processes, under keep"),
                    Map.entry("ttlSecondsAfterFinished", "processes, under keep"),
                    Map.entry("activeDeadlineSeconds", "deadline"),
                    Map.entry("timeout", "deadline"),
                    Map.entry("dataset", "data"),
                    Map.entry("nprocPerNode", "processesPerWorker"),
                    Map.entry("dependencies", "requirements, under environment.python")));

    private static final Pattern COUNT_KEPT = Pattern.compile("[1-9]\\d{0,5}|1000000");
    private static final String OF_ROLE = "role:";
    private static final Map<String, SuccessPolicy> WORDS = words();

    private JobFields() {}

    private static Map<String, SuccessPolicy> words() {
        Map<String, SuccessPolicy> words = new LinkedHashMap<>();
        Stream.of(
                        new SuccessPolicy.Default(),
                        new SuccessPolicy.Chief(),
                        new SuccessPolicy.All(),
                        new SuccessPolicy.AnyProcess())
                .forEach(policy -> words.put(policy.text(), policy));
        return words;
    }

    private static Optional<OptionalInt> checkpointsKept(At at) {
        String rule = "must be all, or a whole number from 1 to 1000000";
        return at.scalar(rule).flatMap(scalar -> {
            if (scalar.text().equals("all")) {
                return Optional.of(OptionalInt.empty());
            }
            return COUNT_KEPT.matcher(scalar.text()).matches()
                    ? Optional.of(OptionalInt.of(Integer.parseInt(scalar.text())))
                    : at.wrong(rule + ", not " + At.shown(scalar.text()), Optional.of("all"));
        });
    }

    private static Optional<SuccessPolicy> success(At at) {
        String rule = "must be " + String.join(", ", WORDS.keySet()) + " or role:NAME";
        return at.scalar(rule).flatMap(scalar -> {
            if (scalar.text().startsWith(OF_ROLE)) {
                return Optional.of(new SuccessPolicy.OfRole(scalar.text().substring(OF_ROLE.length())));
            }
            SuccessPolicy word = WORDS.get(scalar.text());
            return word != null
                    ? Optional.of(word)
                    : at.wrong(rule + ", not " + At.shown(scalar.text()), Nearest.to(scalar.text(), WORDS.keySet()));
        });
    }
}
