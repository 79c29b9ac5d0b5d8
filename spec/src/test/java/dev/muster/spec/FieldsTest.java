package dev.muster.spec;

import static dev.muster.spec.Texts.LEAST;
import static dev.muster.spec.Texts.job;
import static dev.muster.spec.Texts.problems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartPolicy.Rule;
import dev.muster.model.RestartScope;
import dev.muster.model.StallTimeout;
import dev.muster.model.SuccessPolicy;
import dev.muster.spec.job.JobFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of job text with values that are taken and values that are refused. */
class FieldsTest {
    /** A value that is taken, and what becomes of it. */
    record Good(String field, String value, Function<JobSpec, Object> seen, Object expected, String... more) {
        @Override
        public String toString() {
            return field + " = " + value;
        }
    }

    /** A value that is refused; the problem is at the field itself or inside it. */
    record Bad(String field, String value, String... more) {
        @Override
        public String toString() {
            return field + " = " + value;
        }
    }

    static List<Good> good() {
        List<Good> rows = new ArrayList<>();
        rows.addAll(identity());
        rows.addAll(group());
        rows.addAll(software());
        rows.addAll(policies());
        rows.addAll(times());
        rows.addAll(blocks());
        return rows;
    }

    private static List<Good> identity() {
        return List.of(
                new Good("name", "a", JobSpec::name, "a"),
                new Good("name", "0-9", JobSpec::name, "0-9"),
                new Good("name", "a".repeat(40), JobSpec::name, "a".repeat(40)),
                new Good("framework", "tensorflow", JobSpec::framework, FrameworkKind.TENSORFLOW),
                new Good("framework", "pytorch", JobSpec::framework, FrameworkKind.PYTORCH),
                new Good("framework", "jax", JobSpec::framework, FrameworkKind.JAX),
                new Good("backend", "kubernetes", JobSpec::backend, BackendKind.KUBERNETES),
                new Good("backend", "kubeflow", JobSpec::backend, BackendKind.KUBEFLOW),
                new Good("queue", "night", JobSpec::queue, "night"),
                new Good("priority", "-5", JobSpec::priority, -5),
                new Good("suspended", "true", JobSpec::suspended, true),
                new Good("suspended", "True", JobSpec::suspended, true),
                new Good("suspended", "FALSE", JobSpec::suspended, false),
                new Good("model", "{name: Fashion_CNN.1}", JobSpec::model, Optional.of("Fashion_CNN.1")),
                new Good("model.name", "m", JobSpec::model, Optional.of("m")),
                new Good("data", "{d: /a b}", JobSpec::data, Map.of("d", "/a b")),
                new Good("data.d", "s3://bucket/key", JobSpec::data, Map.of("d", "s3://bucket/key")),
                new Good("data.d", "https://host/x?y=1", JobSpec::data, Map.of("d", "https://host/x?y=1")),
                new Good("data.d", "dataset:mnist@3", JobSpec::data, Map.of("d", "dataset:mnist@3")),
                new Good("secrets", "{A: {env: B}}", JobSpec::secrets, Map.of("A", "B")),
                new Good("secrets.NAME.env", "B", JobSpec::secrets, Map.of("NAME", "B")));
    }

    private static List<Good> group() {
        Function<JobSpec, Object> worker = spec -> spec.role("worker").count();
        return List.of(
                new Good("workers", "10000", worker, 10_000),
                new Good("roles", "{worker: {count: 3}}", worker, 3),
                new Good("roles.worker", "{}", worker, 1),
                new Good("roles.worker", "", worker, 1),
                new Good("roles.worker.count", "4", worker, 4),
                new Good(
                        "roles.metrics.sidecar",
                        "true",
                        spec -> spec.role("metrics").sidecar(),
                        true,
                        "roles.worker.count=1"),
                new Good("processesPerWorker", "4", JobSpec::processesPerWorker, 4, "framework=pytorch"),
                new Good(
                        "elastic",
                        "{min: 1, max: 4}",
                        JobSpec::elastic,
                        Optional.of(new Elastic(1, 4)),
                        "framework=pytorch",
                        "pytorch.launcher=torchrun"),
                new Good("standby", "2", JobSpec::standby, 2, "framework=pytorch"),
                new Good(
                        "elastic.max",
                        "2",
                        spec -> spec.elastic().orElseThrow().max(),
                        2,
                        "elastic.min=1",
                        "framework=pytorch",
                        "pytorch.launcher=torchrun",
                        "workers=2"),
                new Good(
                        "elastic.min",
                        "2",
                        spec -> spec.elastic().orElseThrow().min(),
                        2,
                        "elastic.max=2",
                        "framework=pytorch",
                        "pytorch.launcher=torchrun",
                        "workers=2"));
    }

    private static List<Good> software() {
        Function<JobSpec, Object> command = spec -> spec.role("worker").command();
        Function<JobSpec, Object> python =
                spec -> spec.role("worker").environment().python().orElseThrow();
        return List.of(
                new Good("command", "python train.py", command, new Command.Shell("python train.py")),
                new Good("command", "[a, '', 010, \"x y\"]", command, new Command.Exec(List.of("a", "", "010", "x y"))),
                new Good("roles.worker.command", "[b]", command, new Command.Exec(List.of("b"))),
                new Good("env.A", "0.10", spec -> spec.role("worker").env(), Map.of("A", "0.10")),
                new Good("env", "{A: 0.10}", spec -> spec.role("worker").env(), Map.of("A", "0.10")),
                new Good(
                        "roles.worker.env",
                        "{B: ''}",
                        spec -> spec.role("worker").env(),
                        Map.of("B", "")),
                new Good("code", "../src", JobSpec::code, Optional.of("../src")),
                new Good(
                        "environment",
                        "{}",
                        spec -> spec.role("worker").environment().python(),
                        Optional.empty()),
                new Good(
                        "environment.image",
                        "host:5000/a/b:1@sha256:00",
                        spec -> spec.role("worker").environment().image(),
                        Optional.of("host:5000/a/b:1@sha256:00")),
                new Good(
                        "environment.image",
                        "LOCAL:5000/a-b__c.d/e_f:V1.0_x-y",
                        spec -> spec.role("worker").environment().image(),
                        Optional.of("LOCAL:5000/a-b__c.d/e_f:V1.0_x-y")),
                new Good("environment.python", "{systemPackages: true}", python, python(null, null, true)),
                new Good("environment.python.requirements", "/a/r.txt", python, python("/a/r.txt", null, false)),
                new Good("environment.python.requirements", "a..b/r.txt", python, python("a..b/r.txt", null, false)),
                new Good("environment.python.interpreter", "python3.11", python, python(null, "python3.11", false)),
                new Good("environment.python.systemPackages", "true", python, python(null, null, true)),
                new Good(
                        "roles.worker.environment.image",
                        "i",
                        spec -> spec.role("worker").environment().image(),
                        Optional.of("i")),
                new Good(
                        "resources",
                        "{}",
                        spec -> spec.role("worker").resources().gpusAsked(),
                        OptionalInt.empty()),
                new Good(
                        "resources.gpus",
                        "0",
                        spec -> spec.role("worker").resources().gpusAsked(),
                        OptionalInt.of(0)),
                new Good(
                        "resources.cpus",
                        "1.5",
                        spec -> spec.role("worker").resources().milliCpus(),
                        OptionalInt.of(1500)),
                new Good(
                        "resources.cpus",
                        "500m",
                        spec -> spec.role("worker").resources().milliCpus(),
                        OptionalInt.of(500)),
                new Good("resources.memory", "2GiB", FieldsTest::memory, OptionalLong.of(2L << 30)),
                new Good("resources.memory", "2Gi", FieldsTest::memory, OptionalLong.of(2L << 30)),
                new Good("resources.memory", "1.5MiB", FieldsTest::memory, OptionalLong.of(3L << 19)),
                new Good("resources.memory", "2MB", FieldsTest::memory, OptionalLong.of(2_000_000)),
                new Good("roles.worker.resources.memory", "7B", FieldsTest::memory, OptionalLong.of(7)),
                new Good(
                        "resources.gpus",
                        "8",
                        spec -> spec.role("worker").resources().gpus(),
                        8));
    }

    private static Object memory(JobSpec spec) {
        return spec.role("worker").resources().memoryBytes();
    }

    private static Object python(String requirements, String interpreter, boolean systemPackages) {
        return new dev.muster.model.EnvironmentSpec.Python(
                Optional.ofNullable(requirements), Optional.ofNullable(interpreter), systemPackages);
    }

    private static List<Good> policies() {
        Function<JobSpec, Object> backoff = spec -> spec.restart().backoff();
        Function<JobSpec, Rule> rule = spec -> spec.restart().rules().getFirst();
        return List.of(
                new Good("checkpoints.keep", "all", spec -> spec.checkpoints().keep(), OptionalInt.empty()),
                new Good("checkpoints.keep", "3", spec -> spec.checkpoints().keep(), OptionalInt.of(3)),
                new Good(
                        "checkpoints.every",
                        "500ms",
                        spec -> spec.checkpoints().every(),
                        Optional.of(Duration.ofMillis(500))),
                new Good("checkpoints.from", "/old", spec -> spec.checkpoints().from(), Optional.of("/old")),
                new Good("success", "chief", JobSpec::success, new SuccessPolicy.Chief()),
                new Good("success", "all", JobSpec::success, new SuccessPolicy.All()),
                new Good("success", "any", JobSpec::success, new SuccessPolicy.AnyProcess()),
                new Good("success", "role:worker", JobSpec::success, new SuccessPolicy.OfRole("worker")),
                new Good("restart.max", "3", spec -> spec.restart().max(), 3),
                new Good("restart.backoff", "{}", backoff, dev.muster.model.RestartPolicy.Backoff.DEFAULT),
                new Good("restart.backoff.first", "2m", backoff, backoff(120, 2, 120)),
                new Good("restart.backoff.factor", "1.5", backoff, backoff(1, 1.5, 60)),
                new Good("restart.backoff.max", "1s", backoff, backoff(1, 2, 1)),
                new Good("restart.rules", "[]", spec -> spec.restart().rules(), List.of()),
                new Good(
                        "restart.rules",
                        "[{log: 'a.*b'}]",
                        spec -> rule.apply(spec).log().orElseThrow().pattern(),
                        "a.*b"),
                new Good(
                        "restart.rules",
                        "[{exitCodes: [1, 255]}]",
                        spec -> rule.apply(spec).exitCodes(),
                        Set.of(1, 255)),
                new Good(
                        "restart.rules",
                        "[{exitCodes: [1]}]",
                        spec -> rule.apply(spec).action(),
                        Action.RESTART),
                new Good(
                        "restart.rules",
                        "[{exitCodes: [1]}]",
                        spec -> rule.apply(spec).counted(),
                        true),
                new Good(
                        "restart.rules",
                        "[{signals: [KILL], action: fail}]",
                        spec -> rule.apply(spec).action(),
                        Action.FAIL),
                new Good(
                        "restart.rules",
                        "[{signals: [TERM]}]",
                        spec -> rule.apply(spec).signals(),
                        Set.of("TERM")),
                new Good(
                        "restart.rules",
                        "[{log: x, counted: false}]",
                        spec -> rule.apply(spec).counted(),
                        false),
                new Good(
                        "restart.rules",
                        "[{log: x, scope: role}]",
                        spec -> rule.apply(spec).scope(),
                        RestartScope.ROLE));
    }

    private static Object backoff(long first, double factor, long max) {
        return new dev.muster.model.RestartPolicy.Backoff(Duration.ofSeconds(first), factor, Duration.ofSeconds(max));
    }

    private static List<Good> times() {
        return List.of(
                new Good("deadline", "1h30m", spec -> spec.limits().deadline(), Optional.of(Duration.ofMinutes(90))),
                new Good("deadline", "90s", spec -> spec.limits().deadline(), Optional.of(Duration.ofSeconds(90))),
                new Good(
                        "deadline",
                        "1d2h3m4s5ms",
                        spec -> spec.limits().deadline(),
                        Optional.of(Duration.parse("P1DT2H3M4.005S"))),
                new Good("startDeadline", "1m", spec -> spec.limits().startDeadline(), Duration.ofMinutes(1)),
                new Good("queueDeadline", "1d", spec -> spec.limits().queueDeadline(), Optional.of(Duration.ofDays(1))),
                new Good(
                        "stallTimeout",
                        "5m",
                        spec -> spec.limits().stallTimeout(),
                        Optional.of(new StallTimeout.After(Duration.ofMinutes(5)))),
                new Good(
                        "stallTimeout",
                        "auto",
                        spec -> spec.limits().stallTimeout(),
                        Optional.of(new StallTimeout.Auto())),
                new Good("grace", "0", spec -> spec.limits().grace(), Duration.ZERO),
                new Good("keep", "{}", spec -> spec.keep().processes(), Optional.of(Duration.ZERO)),
                new Good("keep.processes", "forever", spec -> spec.keep().processes(), Optional.empty()),
                new Good("keep.logs", "0s", spec -> spec.keep().logs(), Optional.of(Duration.ZERO)),
                new Good("keep.records", "7d", spec -> spec.keep().records(), Optional.of(Duration.ofDays(7))));
    }

    private static List<Good> blocks() {
        Function<JobSpec, Object> network = spec -> spec.options().network().orElseThrow();
        Function<JobSpec, Object> docker = spec -> spec.options().docker().orElseThrow();
        return List.of(
                new Good("tensorflow", "{}", spec -> spec.options().sparseCluster(), false, "framework=tensorflow"),
                new Good(
                        "tensorflow.sparseCluster",
                        "true",
                        spec -> spec.options().sparseCluster(),
                        true,
                        "framework=tensorflow",
                        "roles={worker: {}, ps: {}}"),
                new Good(
                        "tensorflow.evaluatorInCluster",
                        "true",
                        spec -> spec.options().evaluatorInCluster(),
                        true,
                        "framework=tensorflow",
                        "roles={worker: {}, evaluator: {}}"),
                new Good("pytorch", "{}", spec -> spec.options().torchrun(), false, "framework=pytorch"),
                new Good("pytorch.launcher", "torchrun", spec -> spec.options().torchrun(), true, "framework=pytorch"),
                new Good("local", "{}", spec -> spec.options().localAddress(), "127.0.0.1"),
                new Good("local.address", "::1", spec -> spec.options().localAddress(), "::1"),
                new Good("local.address", "127.0.0.2", spec -> spec.options().localAddress(), "127.0.0.2"),
                new Good("network", "{}", spec -> spec.options().network(), Optional.empty()),
                new Good("network.hostNetwork", "false", spec -> spec.options().network(), Optional.empty()),
                new Good(
                        "network.interface",
                        "eth0.1",
                        network,
                        new Options.Network(Optional.of("eth0.1"), false, Optional.empty())),
                new Good(
                        "network.hostNetwork",
                        "true",
                        network,
                        new Options.Network(Optional.empty(), true, Optional.empty())),
                new Good(
                        "network.rdma",
                        "{resource: rdma/hca}",
                        network,
                        new Options.Network(Optional.empty(), false, Optional.of(new Options.Rdma("rdma/hca", 1)))),
                new Good(
                        "network.rdma.count",
                        "2",
                        network,
                        new Options.Network(Optional.empty(), false, Optional.of(new Options.Rdma("rdma/hca", 2))),
                        "network.rdma.resource=rdma/hca"),
                new Good("docker", "{}", docker, new Options.Docker(OptionalLong.empty(), List.of(), Optional.empty())),
                new Good(
                        "docker.shmSize",
                        "1GiB",
                        docker,
                        new Options.Docker(OptionalLong.of(1 << 30), List.of(), Optional.empty())),
                new Good(
                        "docker.mounts",
                        "['/a:/b:ro']",
                        docker,
                        new Options.Docker(OptionalLong.empty(), List.of("/a:/b:ro"), Optional.empty())),
                new Good(
                        "docker.runtime",
                        "runc",
                        docker,
                        new Options.Docker(OptionalLong.empty(), List.of(), Optional.of("runc"))),
                kubernetes("namespace", "team-a", "team-a"),
                kubernetes("nodeSelector", "{disk: ssd, n: 1}", Map.of("disk", "ssd", "n", 1L)),
                kubernetes(
                        "tolerations",
                        "[{key: k, operator: Exists}]",
                        List.of(Map.of("key", "k", "operator", "Exists"))),
                kubernetes("affinity", "{a: {b: 1.5}}", Map.of("a", Map.of("b", 1.5))),
                kubernetes("serviceAccount", "sa", "sa"),
                kubernetes("priorityClass", "high", "high"),
                kubernetes("imagePullSecrets", "[s]", List.of("s")),
                kubernetes("volumes", "[{name: v, emptyDir: {}}]", List.of(Map.of("name", "v", "emptyDir", Map.of()))),
                kubernetes("checkpointClaim", "claim", "claim"),
                kubernetes("kueueQueue", "team-a", "team-a"),
                kubernetes(
                        "podPatch",
                        "{spec: {hostPID: true, x: 'true'}}",
                        Map.of("spec", Map.of("hostPID", true, "x", "true"))));
    }

    private static Good kubernetes(String field, String value, Object expected) {
        return new Good(
                "kubernetes." + field,
                value,
                spec -> spec.options().kubernetes().orElseThrow(),
                Map.of(field, expected));
    }

    static List<Bad> bad() {
        return Stream.of(
                        refused("name", "''", "-a", "a-", "Job A", "fit_a_line", "модель", "[a]", "a".repeat(41)),
                        refused("framework", "tensorfloww", "TensorFlow", "{}", "1"),
                        refused("backend", "docke", "[local]"),
                        refused(
                                "workers",
                                "0",
                                "-1",
                                "10001",
                                "two",
                                "1.5",
                                "'2'",
                                "1e3",
                                "010",
                                "99999999999999999999",
                                "[1]"),
                        refused("roles", "{}", "[worker]", "worker", "{worker: 2}", "{Worker: {}}", "{trainer: {}}"),
                        refused("roles.worker.count", "0", "many", "{}"),
                        refused("roles.worker.sidecar", "yes", "'true'", "1"),
                        refused("roles.worker.command", "''", "[]"),
                        refused("roles.worker.env", "[A=1]", "{1A: x}", "{A: [x]}"),
                        refused("roles.worker.resources", "4", "{cpu: 1}"),
                        refused("roles.worker.resources.cpus", "0"),
                        refused("roles.worker.resources.memory", "lots"),
                        refused("roles.worker.resources.gpus", "half"),
                        refused("roles.worker.environment", "python"),
                        refused("roles.worker.environment.image", "a b"),
                        refused("roles.worker.environment.python", "3.11"),
                        refused("roles.worker.environment.python.requirements", "''"),
                        refused("roles.worker.environment.python.interpreter", "''"),
                        refused("roles.worker.environment.python.systemPackages", "some"),
                        refused("processesPerWorker", "0", "1025", "auto"),
                        refused("command", "''", "'  '", "[]", "['', a]", "[[a]]", "[a, ]x", "{a: b}", "[a, {b: c}]"),
                        refused("code", "~/src", "[a]"),
                        refused("environment", "torch", "[]", "{pip: x}"),
                        refused(
                                "environment.image",
                                "a b",
                                "''",
                                "Bad",
                                "a/Bad:1",
                                "Bad Name!!",
                                "a:b:c",
                                "a//b",
                                "a/b:",
                                "/a",
                                "a@b"),
                        refused("environment.python", "3.11"),
                        refused("environment.python.requirements", "../r.txt", "a/../../r.txt", "~/r.txt", "[numpy]"),
                        refused("environment.python.interpreter", "bin/python", "'a b'", "''"),
                        refused("environment.python.systemPackages", "yes"),
                        refused("env", "[A=1]", "A=1", "{'': x}", "{A B: x}", "{FOO.BAR: x}", "{A: {b: c}}"),
                        refused("secrets", "[A]", "{A: s3cr3t}", "{A: {}}", "{A: {env: '1 2'}}", "{A: {file: x}}"),
                        refused("secrets.NAME.env", "a b"),
                        refused("resources", "4", "{ram: 1}"),
                        refused("resources.cpus", "0", "-1", "0.0001", "0.5m", "two", "1e3"),
                        refused("resources.memory", "0GiB", "2", "2 GiB", "2gib", "-1GiB", "2XB", "9999999TiB"),
                        refused("resources.gpus", "-1", "0.5", "all", "1025"),
                        refused(
                                "data",
                                "/path",
                                "[a]",
                                "{a: }",
                                "{a: null}",
                                "{a: [b]}",
                                "{a: ''}",
                                "{a-b: /x, a_b: /y}",
                                "{'---': /x}"),
                        refused("data.d", "ftp://host/x", "s3://", "dataset:", "dataset:a@", "~/x"),
                        refused("model", "m", "{}", "{title: x}"),
                        refused("model.name", "''", "a/b", "'a b'", "-a"),
                        refused("checkpoints", "3", "{each: 1m}"),
                        refused("checkpoints.keep", "0", "-1", "none", "1.5"),
                        refused("checkpoints.every", "0", "60", "1 m", "-1m"),
                        refused("checkpoints.from", "''", "[a]"),
                        refused("success", "worker", "role:", "role:ps", "alll", "{role: worker}"),
                        refused("restart", "3", "always", "{maximum: 3}"),
                        refused("restart.max", "-1", "many", "1.5"),
                        refused("restart.backoff", "1s", "{first: 2m, max: 1m}"),
                        refused("restart.backoff.first", "1", "-1s"),
                        refused("restart.backoff.factor", "0.5", "x", "1e3"),
                        refused("restart.backoff.max", "0s", "1"),
                        refused("restart.rules", "{}", "[{}]", "[x]", "[{action: restart}]", "[{exitCodes: []}]"),
                        refused("restart.rules[0].exitCodes", "[0]", "[~]", "[256]", "42", "[x]"),
                        refused("restart.rules[0].signals", "[SIGKILL]", "[9]", "KILL", "[kill]"),
                        refused("restart.rules[0].log", "'('", "''", "[a]"),
                        refused("restart.rules[0].action", "retry"),
                        refused("restart.rules[0].counted", "'no'"),
                        refused("restart.rules[0].scope", "job"),
                        refused("elastic", "{}", "{min: 1}", "{min: 3, max: 2}", "{min: 2, max: 4}", "2..4"),
                        refused("elastic.min", "0"),
                        refused("elastic.max", "x"),
                        refused("standby", "-1", "65", "yes"),
                        refused("deadline", "0", "60", "1 h", "1h1h", "1m1h", "1.5h", "1w", "-1h", "h", "''", "40000d"),
                        refused("startDeadline", "0s", "soon"),
                        refused("queueDeadline", "0", "5"),
                        refused("stallTimeout", "0", "never", "Auto"),
                        refused("grace", "30", "-1s"),
                        refused("queue", "Night", "''"),
                        refused("priority", "high", "1.5", "9999999"),
                        refused("suspended", "yes", "'true'", "1", "tRUE"),
                        refused("keep", "0s", "{process: 0s}"),
                        refused("keep.processes", "never", "1"),
                        refused("keep.logs", "30"),
                        refused("keep.records", "always"),
                        refused("tensorflow", "{}", "true"),
                        refused("tensorflow.evaluatorInCluster", "yes"),
                        refused("tensorflow.sparseCluster", "yes"),
                        refused("pytorch", "{}", "torchrun"),
                        refused("pytorch.launcher", "torch"),
                        refused("local", "127.0.0.1"),
                        refused("local.address", "localhost", "'[::1]'", "127.1", "fe80::1%eth0", "300.0.0.1"),
                        refused("network", "eth0"),
                        refused("network.interface", "a/b", "sixteen-letters-x"),
                        refused("network.hostNetwork", "yes"),
                        refused("network.rdma", "{}", "rdma/hca"),
                        refused("network.rdma.resource", "hca"),
                        refused("network.rdma.count", "0"),
                        refused("docker", "true"),
                        refused("docker.shmSize", "1"),
                        refused("docker.mounts", "/a:/b", "[/a]", "['/a:b']", "['/a:/b:rw']"),
                        refused("docker.runtime", "a b"),
                        refused("kubernetes", "default", "{nameSpace: x}"),
                        refused("kubernetes.namespace", "Team_A"),
                        refused("kubernetes.nodeSelector", "ssd"),
                        refused("kubernetes.tolerations", "{}"),
                        refused("kubernetes.affinity", "[]"),
                        refused("kubernetes.serviceAccount", "[a]"),
                        refused("kubernetes.priorityClass", "''"),
                        refused("kubernetes.imagePullSecrets", "s"),
                        refused("kubernetes.volumes", "{}"),
                        refused("kubernetes.checkpointClaim", "{}"),
                        refused("kubernetes.kueueQueue", "{}"),
                        refused("kubernetes.podPatch", "[]"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Bad> refused(String field, String... values) {
        return Stream.of(values).map(value -> new Bad(field, value)).toList();
    }

    private static String[] sets(String field, String value, String... more) {
        return Stream.concat(Stream.of(more), Stream.of(field + "=" + value)).toArray(String[]::new);
    }

    /** Mappings of env and secrets are set as texts, so they are put into the text itself. */
    private static String text(String field, String value) {
        return switch (field) {
            case "env", "secrets" -> LEAST + field + ": " + value + "\n";
            default -> LEAST;
        };
    }

    @ParameterizedTest
    @MethodSource("good")
    void aGoodValueIsTaken(Good row) {
        JobSpec spec = job(text(row.field(), row.value()), sets(row.field(), row.value(), row.more()));
        assertThat(row.seen().apply(spec)).isEqualTo(row.expected());
        assertThat(new SpecWriter().read(new SpecWriter().write(spec))).isEqualTo(spec);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void a2_aBadValueIsRefusedAtItsField(Bad row) {
        assertThat(problems(text(row.field(), row.value()), sets(row.field(), row.value(), row.more())))
                .anyMatch(problem -> problem.field().replace("--set ", "").startsWith(row.field()))
                .allSatisfy(
                        problem -> assertThat(problem.message()).isNotBlank().doesNotContain("null"));
    }

    @Test
    void everyFieldHasRowsOfBothKinds() {
        assertThat(general(good().stream().map(Good::field))).containsAll(required("good"));
        assertThat(general(bad().stream().map(Bad::field))).containsAll(required("bad"));
    }

    /** Paths as the vocabulary writes them. What a role has like the job needs a row for one of the two only. */
    private static Set<String> general(Stream<String> fields) {
        return fields.map(field -> field.replaceFirst("^roles\\.(worker|metrics)", "roles.NAME")
                        .replace("[0]", "[]"))
                .collect(Collectors.toSet());
    }

    private static Set<String> required(String kind) {
        return JobFields.VOCABULARY.paths().stream()
                .filter(path -> kind.equals("bad")
                        || !path.matches("roles\\.NAME\\.(environment|resources)\\b.*|restart\\.rules\\[]\\..*|"
                                + "network\\.rdma\\.resource|restart|checkpoints|kubernetes"))
                .collect(Collectors.toSet());
    }
}
