package dev.muster.spec;

import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Keep;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Resources;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartScope;
import dev.muster.model.RoleSpec;
import dev.muster.model.StallTimeout;
import dev.muster.model.SuccessPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Jobs of every shape job text can have, each made from one seed. */
class AnyJobs extends DomainContextBase {
    private static final List<String> TEXTS = List.of(
            "x",
            "0.10",
            "1e3",
            "yes",
            "010",
            "null",
            "~",
            " a b ",
            "l1\nl2",
            "\"q\" 'r' \\",
            "модель",
            "\uD83D\uDE00",
            "a: b",
            "- x",
            "# c",
            "{",
            "\t\u0001\u007f\u0085\u2028\ufeff",
            "*a",
            "&a",
            "!x",
            "%Y",
            "@",
            "`",
            "<<",
            "true",
            "x".repeat(3000));

    @Provide
    Arbitrary<JobSpec> jobs() {
        return Arbitraries.longs().map(seed -> new Maker(new Random(seed)).job());
    }

    private record Maker(Random random) {
        JobSpec job() {
            FrameworkKind framework = one(FrameworkKind.values());
            return new JobSpec(
                    one("a", "fashion-mnist-cnn", "0", "null"),
                    framework,
                    one(BackendKind.values()),
                    roles(),
                    1 + random.nextInt(4),
                    maybe(() -> one(".", "../src", "a b")),
                    map(() -> one("A", "B_1", "null"), () -> one("C", "true")),
                    map(
                            () -> one("fashion", "a b", "1.0", "true"),
                            () -> one("/a b", "s3://b/k", "dataset:m@1", "null.txt")),
                    maybe(() -> one("m", "Model.1", "1.10")),
                    new CheckpointPolicy(number(1000), maybe(this::duration), maybe(() -> one("job", "/path to"))),
                    one(
                            new SuccessPolicy.Default(),
                            new SuccessPolicy.Chief(),
                            new SuccessPolicy.All(),
                            new SuccessPolicy.AnyProcess(),
                            new SuccessPolicy.OfRole("worker")),
                    restart(),
                    maybe(() -> new Elastic(1, 1 + random.nextInt(9))),
                    random.nextInt(3),
                    new Limits(
                            maybe(this::duration),
                            duration(),
                            maybe(this::duration),
                            maybe(() -> one(new StallTimeout.Auto(), new StallTimeout.After(duration()))),
                            duration()),
                    one("default", "night-1"),
                    random.nextInt(2_000_001) - 1_000_000,
                    random.nextBoolean(),
                    new Keep(maybe(this::duration), maybe(this::duration), maybe(this::duration)),
                    options(framework));
        }

        private Map<String, RoleSpec> roles() {
            Map<String, RoleSpec> roles = new LinkedHashMap<>();
            for (String name : List.of("chief", "worker", "zeta", "alpha", "true")) {
                if (random.nextInt(2) == 0 || name.equals("worker")) {
                    roles.put(name, role());
                }
            }
            return roles;
        }

        private RoleSpec role() {
            Function<String, Command> shell = Command.Shell::new;
            Command command = random.nextBoolean()
                    ? shell.apply("run " + text())
                    : new Command.Exec(List.of("python", text(), "", text()));
            return new RoleSpec(
                    1 + random.nextInt(10_000),
                    random.nextBoolean(),
                    command,
                    map(() -> one("A", "B", "LONG_NAME_1", "null"), this::text),
                    new Resources(
                            number(100_000_000),
                            maybe(() -> 1 + random.nextLong(1L << 45))
                                    .map(OptionalLong::of)
                                    .orElse(OptionalLong.empty()),
                            number(3)),
                    new EnvironmentSpec(
                            maybe(() -> new EnvironmentSpec.Python(
                                    maybe(() -> one("r.txt", "/r.txt")),
                                    maybe(() -> one("python3", "/usr/bin/python3")),
                                    random.nextBoolean())),
                            maybe(() -> one("image:1", "host:5000/a@sha256:0"))));
        }

        private RestartPolicy restart() {
            Duration first = duration();
            RestartPolicy.Rule rule = new RestartPolicy.Rule(
                    Set.of(1 + random.nextInt(100), 101 + random.nextInt(155)),
                    random.nextBoolean() ? Set.of("KILL", "TERM") : Set.of(),
                    maybe(() -> Pattern.compile(one("a.*b", "\\d+\\s\"x\"", "^#$", "~"))),
                    one(RestartPolicy.Action.values()),
                    random.nextBoolean(),
                    one(RestartScope.values()));
            return new RestartPolicy(
                    random.nextInt(1000),
                    new RestartPolicy.Backoff(first, one(1.0, 1.5, 2.0, 999.25), first.plus(duration())),
                    random.nextBoolean() ? List.of(rule, rule) : List.of());
        }

        private Options options(FrameworkKind framework) {
            boolean tensorflow = framework == FrameworkKind.TENSORFLOW;
            Supplier<Options.Rdma> rdma = () -> new Options.Rdma("rdma/hca", 1 + random.nextInt(8));
            return new Options(
                    tensorflow && random.nextBoolean(),
                    tensorflow && random.nextBoolean(),
                    framework == FrameworkKind.PYTORCH && random.nextBoolean(),
                    one("127.0.0.1", "::1", "127.0.0.2"),
                    maybe(() -> new Options.Network(maybe(() -> one("eth0", "1")), random.nextBoolean(), maybe(rdma))),
                    maybe(() -> new Options.Docker(
                            random.nextBoolean() ? OptionalLong.of(1L << random.nextInt(40)) : OptionalLong.empty(),
                            random.nextBoolean() ? List.of("/a:/b", "/c:/d:ro") : List.of(),
                            maybe(() -> "runc"))),
                    maybe(() -> Map.of(
                            "namespace",
                            "a",
                            "podPatch",
                            Map.of("n", 1L, "f", 0.5, "big", 1.0e10, "t", true, "s", text(), "l", List.of("1", 1L)))));
        }

        private Map<String, String> map(Supplier<String> key, Supplier<String> value) {
            Map<String, String> map = new LinkedHashMap<>();
            for (int entries = random.nextInt(4); entries > 0; entries--) {
                map.put(key.get(), value.get());
            }
            return map;
        }

        private String text() {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }

        private Duration duration() {
            return Duration.ofMillis(1 + random.nextLong(random.nextBoolean() ? 100_000 : 10_000_000_000L));
        }

        private OptionalInt number(int bound) {
            return random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(bound)) : OptionalInt.empty();
        }

        private <T> Optional<T> maybe(Supplier<T> value) {
            return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
        }

        @SafeVarargs
        private <T> T one(T... all) {
            return all[random.nextInt(all.length)];
        }
    }
}
