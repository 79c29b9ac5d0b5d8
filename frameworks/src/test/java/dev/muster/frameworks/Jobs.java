package dev.muster.frameworks;

import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Keep;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Resources;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RoleSpec;
import dev.muster.model.SuccessPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Jobs for tests, put together field by field. */
final class Jobs {
    private final FrameworkKind framework;
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final Map<String, Integer> sidecars = new LinkedHashMap<>();
    private final Map<String, String> env = new TreeMap<>();
    private final Map<String, String> secrets = new TreeMap<>();
    private final Map<String, String> data = new TreeMap<>();
    private Command command = new Command.Exec(List.of("python", "train.py", "--epochs", "2"));
    private int processesPerWorker = 1;
    private Optional<Duration> every = Optional.empty();
    private Optional<Elastic> elastic = Optional.empty();
    private int standby;
    private int restarts;
    private boolean evaluatorInCluster;
    private boolean sparseCluster;
    private boolean torchrun;

    private Jobs(FrameworkKind framework) {
        this.framework = framework;
    }

    static Jobs of(FrameworkKind framework) {
        return new Jobs(framework);
    }

    Jobs role(String role, int count) {
        if (count > 0) {
            counts.put(role, count);
        }
        return this;
    }

    Jobs sidecar(String role, int count) {
        if (count > 0) {
            sidecars.put(role, count);
        }
        return this;
    }

    Jobs env(String name, String value) {
        env.put(name, value);
        return this;
    }

    Jobs secret(String name, String from) {
        secrets.put(name, from);
        return this;
    }

    Jobs data(String name, String place) {
        data.put(name, place);
        return this;
    }

    Jobs exec(String... argv) {
        command = new Command.Exec(List.of(argv));
        return this;
    }

    Jobs shell(String script) {
        command = new Command.Shell(script);
        return this;
    }

    Jobs processesPerWorker(int processes) {
        processesPerWorker = processes;
        return this;
    }

    Jobs checkpointEvery(Duration period) {
        every = Optional.of(period);
        return this;
    }

    Jobs elastic(int min, int max) {
        elastic = Optional.of(new Elastic(min, max));
        return this;
    }

    Jobs standby(int count) {
        standby = count;
        return this;
    }

    Jobs restarts(int max) {
        restarts = max;
        return this;
    }

    Jobs evaluatorInCluster() {
        evaluatorInCluster = true;
        return this;
    }

    Jobs sparseCluster() {
        sparseCluster = true;
        return this;
    }

    Jobs torchrun() {
        torchrun = true;
        return this;
    }

    LaunchPlan plan() {
        JobSpec spec = spec();
        return Frameworks.of(framework).plan(spec, Group.largest(spec)).of(Group.of(spec));
    }

    JobSpec spec() {
        Map<String, RoleSpec> roles = new LinkedHashMap<>();
        counts.forEach((role, count) -> roles.put(role, role(count, false)));
        sidecars.forEach((role, count) -> roles.put(role, role(count, true)));
        return new JobSpec(
                "demo",
                framework,
                BackendKind.LOCAL,
                roles,
                processesPerWorker,
                Optional.of("."),
                secrets,
                data,
                Optional.empty(),
                new CheckpointPolicy(CheckpointPolicy.DEFAULT.keep(), every, Optional.empty()),
                new SuccessPolicy.Default(),
                new RestartPolicy(restarts, RestartPolicy.Backoff.DEFAULT, List.of()),
                elastic,
                standby,
                Limits.DEFAULT,
                "default",
                0,
                false,
                Keep.DEFAULT,
                new Options(
                        evaluatorInCluster,
                        sparseCluster,
                        torchrun,
                        "127.0.0.1",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    private RoleSpec role(int count, boolean sidecar) {
        return new RoleSpec(count, sidecar, command, env, Resources.NONE, EnvironmentSpec.NONE);
    }
}
