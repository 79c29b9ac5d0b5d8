package dev.muster.server.config;

import dev.muster.model.Queue;
import dev.muster.model.Quota;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Names;
import dev.muster.spec.form.Sizes;
import dev.muster.spec.form.Values;
import dev.muster.spec.form.Vocabulary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Every field of the configuration: its name and how its value is written. */
final class ServerFields {
    static final Field<String> HOME = new Field<>("home", Forms.text());
    static final Field<String> LISTEN = new Field<>("listen", Forms.text());
    static final Field<String> URL = new Field<>("url", Forms.text());
    static final Field<String> TOKENS = new Field<>("tokens", Forms.text());
    static final Field<String> AUDIT = new Field<>("audit", Forms.text());
    static final Field<String> LOG = new Field<>("log", Forms.text());

    static final Field<String> CERTIFICATE = new Field<>("certificate", Forms.text());
    static final Field<String> KEY = new Field<>("key", Forms.text());
    static final Field<Values> TLS = new Field<>("tls", Block.of(CERTIFICATE, KEY));

    static final Field<String> SQLITE = new Field<>("sqlite", Forms.text());
    static final Field<String> DATABASE_URL = new Field<>(
            "url",
            Forms.shaped(
                    Pattern.compile("(jdbc:)?postgresql://[^\\s@]+/[^\\s@]+"),
                    "must be postgresql://HOST[:PORT]/DATABASE, with neither user nor password"));
    static final Field<String> DATABASE_USER = new Field<>("user", Forms.text());
    static final Field<String> PASSWORD_FILE = new Field<>("passwordFile", Forms.text());
    static final Field<String> KEY_FILE = new Field<>("keyFile", Forms.text());
    static final Field<Values> POSTGRESQL =
            new Field<>("postgresql", Block.of(DATABASE_URL, DATABASE_USER, PASSWORD_FILE, KEY_FILE));
    static final Field<Values> STORE = new Field<>("store", Block.of(SQLITE, POSTGRESQL));

    static final Field<String> HOST = new Field<>("host", Names.object());

    static final Field<Integer> PROCESSES = new Field<>("processes", Forms.whole(0, 1_000_000));
    static final Field<Integer> CPUS = new Field<>("cpus", Sizes.milliCpus());
    static final Field<Long> MEMORY = new Field<>("memory", Sizes.bytes());
    static final Field<Integer> GPUS = new Field<>("gpus", Forms.whole(0, 1024));
    private static final Block AMOUNT = Block.of(PROCESSES, CPUS, MEMORY, GPUS);
    static final Field<Values> CAPACITY = new Field<>("capacity", AMOUNT);

    static final Field<List<String>> HOST_PATHS =
            new Field<>("hostPaths", Forms.list(Forms.shaped(Pattern.compile("/.*"), "must be an absolute path")));
    static final Field<Map<String, String>> RUN_AS = new Field<>("runAs", Forms.map(Forms.text(), Forms.text()));
    static final Field<Values> LOCAL = new Field<>("local", Block.of(RUN_AS));
    static final Field<String> DOCKER_HOST = new Field<>(
            "host", Forms.shaped(Pattern.compile("unix:///.+|tcp://.+"), "must be unix:///PATH or tcp://HOST:PORT"));
    static final Field<List<String>> MOUNTS = new Field<>(
            "mounts", Forms.list(Forms.shaped(Pattern.compile("/[^:]*"), "must be an absolute path without a colon")));
    static final Field<String> FILES =
            new Field<>("files", Forms.choice(new String[] {"auto", "mounted", "copied"}, text -> text));
    static final Field<List<String>> DEVICES =
            new Field<>("gpus", Forms.list(Forms.shaped(Pattern.compile("[A-Za-z0-9-]+"), "must be the id of a GPU")));
    static final Field<Values> DOCKER = new Field<>("docker", Block.of(DOCKER_HOST, MOUNTS, FILES, DEVICES, CAPACITY));
    static final Field<String> KUBECONFIG = new Field<>("kubeconfig", Forms.text());
    static final Field<String> NAMESPACE = new Field<>("namespace", Names.label(63));
    static final Field<String> SIDECAR = new Field<>("sidecar", Forms.text());
    static final Field<String> GPU_RESOURCE = new Field<>("gpu", Forms.text());
    static final Field<String> PYTHON_CLAIM = new Field<>("pythonClaim", Names.object());
    static final Field<String> INSTANCE = new Field<>("instance", Names.label(40));
    static final Field<List<String>> PATCHABLE = new Field<>(
            "patchable", Forms.list(Forms.shaped(Pattern.compile("[^, ]+"), "must be a field without blanks")));
    private static final Block CLUSTER =
            Block.of(KUBECONFIG, NAMESPACE, SIDECAR, GPU_RESOURCE, PYTHON_CLAIM, INSTANCE, PATCHABLE);
    static final Field<Values> KUBERNETES = new Field<>("kubernetes", CLUSTER);
    static final Field<Values> KUBEFLOW = new Field<>("kubeflow", CLUSTER);
    static final Field<Values> BACKENDS = new Field<>("backends", Block.of(LOCAL, DOCKER, KUBERNETES, KUBEFLOW));

    static final Field<Values> QUOTA = new Field<>("quota", AMOUNT);
    static final Field<Values> BORROW = new Field<>("borrow", AMOUNT);
    static final Field<Boolean> RECLAIM = new Field<>("reclaim", Forms.truth());
    static final Field<Integer> WEIGHT = new Field<>("weight", Forms.whole(1, Queue.HEAVIEST));
    static final Field<Boolean> PREEMPT = new Field<>("preempt", Forms.truth());
    static final Field<Duration> PREEMPT_AFTER = new Field<>("preemptAfter", Durations.fromZero());
    static final Field<Map<String, Values>> QUEUES = new Field<>(
            "queues", Forms.map(Names.label(63), Block.of(QUOTA, BORROW, RECLAIM, WEIGHT, PREEMPT, PREEMPT_AFTER)));

    static final Field<Optional<Duration>> KEEP_LOGS = new Field<>("logs", Durations.orForever());
    static final Field<Optional<Duration>> KEEP_RECORDS = new Field<>("records", Durations.orForever());
    static final Field<Values> RETENTION = new Field<>("retention", Block.of(KEEP_LOGS, KEEP_RECORDS));

    static final Block BLOCK = Block.of(
            HOME, LISTEN, URL, TLS, TOKENS, AUDIT, STORE, HOST, CAPACITY, HOST_PATHS, BACKENDS, QUEUES, RETENTION, LOG);
    static final Vocabulary VOCABULARY = new Vocabulary(
            BLOCK,
            Map.of(
                    "port", "listen: ADDRESS:PORT",
                    "address", "listen: ADDRESS:PORT",
                    "bind", "listen: ADDRESS:PORT",
                    "cert", "certificate",
                    "password", "passwordFile, a file with the password in it"));

    private ServerFields() {}

    static Queue queue(String name, Values values) {
        return new Queue(
                name,
                values.get(QUOTA).map(ServerFields::quota).orElse(Quota.NONE),
                values.get(BORROW).map(ServerFields::quota),
                values.get(RECLAIM, true),
                values.get(WEIGHT, 1),
                values.get(PREEMPT, false),
                values.get(PREEMPT_AFTER, Queue.PREEMPT_AFTER));
    }

    static Quota quota(Values values) {
        return new Quota(
                values.get(PROCESSES).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                values.get(CPUS).map(cpus -> OptionalLong.of(cpus)).orElseGet(OptionalLong::empty),
                values.get(MEMORY).map(OptionalLong::of).orElseGet(OptionalLong::empty),
                values.get(GPUS).map(OptionalInt::of).orElseGet(OptionalInt::empty));
    }
}
