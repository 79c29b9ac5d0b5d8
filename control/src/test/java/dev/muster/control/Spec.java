package dev.muster.control;

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
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartPolicy.Backoff;
import dev.muster.model.RestartPolicy.Rule;
import dev.muster.model.RestartScope;
import dev.muster.model.RoleSpec;
import dev.muster.model.StallTimeout;
import dev.muster.model.SuccessPolicy;
import dev.muster.testkit.SampleJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Builds the jobs of these tests. PLAIN counts all ranks for success, TENSORFLOW the chief. */
final class Spec {
    private static final Options TORCHRUN =
            new Options(false, false, true, "127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty());

    private String name = "job";
    private FrameworkKind framework = FrameworkKind.PLAIN;
    private final Map<String, RoleSpec> roles = new LinkedHashMap<>();
    private int ranks = 1;
    private Optional<Elastic> elastic = Optional.empty();
    private int standby;
    private Optional<String> model = Optional.empty();
    private CheckpointPolicy checkpoints = CheckpointPolicy.DEFAULT;
    private SuccessPolicy success = new SuccessPolicy.Default();
    private int restarts;
    private Backoff backoff = Backoff.DEFAULT;
    private final List<Rule> rules = new ArrayList<>();
    private Optional<Duration> deadline = Optional.empty();
    private Duration startDeadline = Duration.ofMinutes(10);
    private Optional<Duration> queueDeadline = Optional.empty();
    private Optional<StallTimeout> stallTimeout = Optional.empty();
    private Duration grace = Duration.ofSeconds(30);
    private String queue = "default";
    private int priority;
    private boolean suspended;
    private Keep keep = Keep.DEFAULT;
    private Resources resources = Resources.NONE;

    static Spec workers(int count) {
        return new Spec().role("worker", count);
    }

    Spec ranksPerWorker(int count) {
        ranks = count;
        return this;
    }

    Spec named(String given) {
        name = given;
        return this;
    }

    Spec role(String role, int count) {
        roles.put(role, role(count, false));
        return this;
    }

    Spec sidecar(String role) {
        roles.put(role, role(1, true));
        return this;
    }

    private RoleSpec role(int count, boolean sidecar) {
        return new RoleSpec(
                count, sidecar, new Command.Exec(List.of("true")), Map.of(), resources, EnvironmentSpec.NONE);
    }

    Spec asking(int milliCpus, long memoryBytes, int gpus) {
        resources = new Resources(OptionalInt.of(milliCpus), OptionalLong.of(memoryBytes), gpus);
        roles.replaceAll((role, before) -> role(before.count(), before.sidecar()));
        return this;
    }

    /** A framework with a companion. */
    Spec horovod() {
        framework = FrameworkKind.HOROVOD;
        return this;
    }

    Spec tensorflow() {
        framework = FrameworkKind.TENSORFLOW;
        return this;
    }

    Spec model(String given) {
        model = Optional.of(given);
        return this;
    }

    Spec from(String source) {
        checkpoints = new CheckpointPolicy(checkpoints.keep(), checkpoints.every(), Optional.of(source));
        return this;
    }

    Spec keepCheckpoints(int count) {
        checkpoints = new CheckpointPolicy(OptionalInt.of(count), checkpoints.every(), checkpoints.from());
        return this;
    }

    Spec success(SuccessPolicy policy) {
        success = policy;
        return this;
    }

    Spec restarts(int max) {
        restarts = max;
        return this;
    }

    Spec backoff(Duration first, double factor, Duration max) {
        backoff = new Backoff(first, factor, max);
        return this;
    }

    Spec rule(int exitCode, Action action, boolean counted, RestartScope scope) {
        rules.add(new Rule(Set.of(exitCode), Set.of(), Optional.empty(), action, counted, scope));
        return this;
    }

    Spec rule(String signal, Action action) {
        rules.add(new Rule(Set.of(), Set.of(signal), Optional.empty(), action, true, RestartScope.DEFAULT));
        return this;
    }

    Spec logRule(String pattern, Action action) {
        rules.add(new Rule(
                Set.of(), Set.of(), Optional.of(Pattern.compile(pattern)), action, true, RestartScope.DEFAULT));
        return this;
    }

    Spec deadline(Duration bound) {
        deadline = Optional.of(bound);
        return this;
    }

    Spec startDeadline(Duration bound) {
        startDeadline = bound;
        return this;
    }

    Spec queueDeadline(Duration bound) {
        queueDeadline = Optional.of(bound);
        return this;
    }

    Spec stallTimeout(Duration bound) {
        stallTimeout = Optional.of(new StallTimeout.After(bound));
        return this;
    }

    Spec stallTimeoutAuto() {
        stallTimeout = Optional.of(new StallTimeout.Auto());
        return this;
    }

    Spec grace(Duration bound) {
        grace = bound;
        return this;
    }

    Spec queue(String given) {
        queue = given;
        return this;
    }

    Spec priority(int given) {
        priority = given;
        return this;
    }

    Spec suspended() {
        suspended = true;
        return this;
    }

    Spec keepProcesses(Duration bound) {
        keep = new Keep(Optional.of(bound), keep.logs(), keep.records());
        return this;
    }

    Spec keepLogs(Duration bound) {
        keep = new Keep(keep.processes(), Optional.of(bound), keep.records());
        return this;
    }

    Spec keepRecords(Duration bound) {
        keep = new Keep(keep.processes(), keep.logs(), Optional.of(bound));
        return this;
    }

    /** A group that may change: with parameter servers as it is, else with a companion. */
    Spec elastic(int min, int max) {
        framework = roles.containsKey("ps") ? framework : FrameworkKind.PYTORCH;
        elastic = Optional.of(new Elastic(min, max));
        return this;
    }

    Spec standby(int count) {
        standby = count;
        return this;
    }

    JobSpec build() {
        JobSpec sample = SampleJobs.spec(name, framework, roles, queue, priority);
        return new JobSpec(
                name,
                framework,
                sample.backend(),
                roles,
                ranks,
                sample.code(),
                sample.secrets(),
                sample.data(),
                model,
                checkpoints,
                success,
                new RestartPolicy(restarts, backoff, rules),
                elastic,
                standby,
                new Limits(deadline, startDeadline, queueDeadline, stallTimeout, grace),
                queue,
                priority,
                suspended,
                keep,
                framework == FrameworkKind.PYTORCH && elastic.isPresent() ? TORCHRUN : sample.options());
    }
}
