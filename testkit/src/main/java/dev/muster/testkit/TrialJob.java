package dev.muster.testkit;

import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Keep;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Origin;
import dev.muster.model.Part;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Resources;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RoleSpec;
import dev.muster.model.SuccessPolicy;
import dev.muster.model.Template;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A job of workers for tests of backends: what a framework would plan, written out by hand. Each {@code with} gives a changed copy.
 *
 * @param id        the job
 * @param backend   where it runs
 * @param workers   members of its only role, worker
 * @param argv      what each process runs
 * @param env       variables besides Muster's
 * @param secrets   secret values by variable
 * @param files     files of the working folder
 * @param data      data by name
 * @param ports     ports of every member
 * @param join      how each process joins
 * @param resources of each process
 * @param options   parts of one framework or backend
 * @param code      digest of the code snapshot
 * @param image     what a container is made of
 * @param elastic   bounds of the number of workers
 * @param standby   how many are held ready
 */
public record TrialJob(
        JobId id,
        BackendKind backend,
        int workers,
        List<String> argv,
        Map<String, String> env,
        Map<String, String> secrets,
        Map<String, String> files,
        Map<String, String> data,
        List<String> ports,
        Join join,
        Resources resources,
        Options options,
        Optional<String> code,
        Optional<String> image,
        Optional<Elastic> elastic,
        int standby) {
    /** One worker that runs a shell script. */
    public static TrialJob script(JobId id, BackendKind backend, String script) {
        return new TrialJob(
                id,
                backend,
                1,
                List.of("sh", "-c", script),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                new Join.Started(),
                Resources.NONE,
                Options.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    public TrialJob withWorkers(int number) {
        return new TrialJob(
                id, backend, number, argv, env, secrets, files, data, ports, join, resources, options, code, image,
                elastic, standby);
    }

    public TrialJob withArgv(String... words) {
        return new TrialJob(
                id,
                backend,
                workers,
                List.of(words),
                env,
                secrets,
                files,
                data,
                ports,
                join,
                resources,
                options,
                code,
                image,
                elastic,
                standby);
    }

    public TrialJob withEnv(Map<String, String> variables) {
        return new TrialJob(
                id, backend, workers, argv, variables, secrets, files, data, ports, join, resources, options, code,
                image, elastic, standby);
    }

    public TrialJob withSecrets(Map<String, String> values) {
        return new TrialJob(
                id, backend, workers, argv, env, values, files, data, ports, join, resources, options, code, image,
                elastic, standby);
    }

    public TrialJob withFiles(Map<String, String> contents) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, contents, data, ports, join, resources, options, code, image,
                elastic, standby);
    }

    public TrialJob withData(Map<String, String> places) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, files, places, ports, join, resources, options, code, image,
                elastic, standby);
    }

    /** Every member reserves these ports. */
    public TrialJob withPorts(String... names) {
        return new TrialJob(
                id,
                backend,
                workers,
                argv,
                env,
                secrets,
                files,
                data,
                List.of(names),
                join,
                resources,
                options,
                code,
                image,
                elastic,
                standby);
    }

    public TrialJob withJoin(Join sign) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, files, data, ports, sign, resources, options, code, image,
                elastic, standby);
    }

    public TrialJob withResources(Resources limits) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, files, data, ports, join, limits, options, code, image,
                elastic, standby);
    }

    public TrialJob withOptions(Options other) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, files, data, ports, join, resources, other, code, image,
                elastic, standby);
    }

    public TrialJob withCode(String digest) {
        return new TrialJob(
                id,
                backend,
                workers,
                argv,
                env,
                secrets,
                files,
                data,
                ports,
                join,
                resources,
                options,
                Optional.of(digest),
                image,
                elastic,
                standby);
    }

    public TrialJob withImage(String name) {
        return new TrialJob(
                id,
                backend,
                workers,
                argv,
                env,
                secrets,
                files,
                data,
                ports,
                join,
                resources,
                options,
                code,
                Optional.of(name),
                elastic,
                standby);
    }

    public TrialJob withElastic(int min, int max) {
        return new TrialJob(
                id,
                backend,
                workers,
                argv,
                env,
                secrets,
                files,
                data,
                ports,
                join,
                resources,
                options,
                code,
                image,
                Optional.of(new Elastic(min, max)),
                standby);
    }

    /** So many are held ready. */
    public TrialJob withStandby(int number) {
        return new TrialJob(
                id, backend, workers, argv, env, secrets, files, data, ports, join, resources, options, code, image,
                elastic, number);
    }

    public JobSpec spec() {
        RoleSpec worker = new RoleSpec(
                workers, false, new Command.Exec(argv), env, resources, new EnvironmentSpec(Optional.empty(), image));
        return spec(FrameworkKind.PLAIN, Map.of(JobSpec.WORKER, worker));
    }

    /** The same of another framework, with roles of its own. */
    public JobSpec spec(FrameworkKind framework, Map<String, RoleSpec> roles) {
        Map<String, String> secretNames = new TreeMap<>();
        secrets.keySet().forEach(name -> secretNames.put(name, name));
        return new JobSpec(
                "trial",
                framework,
                backend,
                roles,
                1,
                Optional.empty(),
                secretNames,
                data,
                Optional.empty(),
                CheckpointPolicy.DEFAULT,
                new SuccessPolicy.Default(),
                RestartPolicy.NEVER,
                elastic,
                standby,
                Limits.DEFAULT,
                "default",
                0,
                false,
                Keep.DEFAULT,
                options);
    }

    /** A submission with this job's code. */
    public Origin origin() {
        return new Origin("tester", "/", code, Optional.empty(), "", Map.of());
    }

    public LaunchPlan plan() {
        List<ProcessPlan> processes = new ArrayList<>();
        for (int index = 0; index < workers; index++) {
            processes.add(process(index));
        }
        return new LaunchPlan(workers, processes);
    }

    private ProcessPlan process(int index) {
        Map<String, Template> variables = new TreeMap<>();
        env.forEach((name, value) -> variables.put(name, Template.text(value)));
        secrets.keySet().forEach(name -> variables.put(name, Template.of(new Part.SecretValue(name))));
        data.keySet().forEach(name -> variables.put(JobSpec.dataVariable(name), Template.of(new Part.DataPath(name))));
        variables.put("MUSTER_JOB_ID", Template.of(new Part.FactOf(Part.Fact.JOB_ID)));
        variables.put("MUSTER_ROLE", Template.text(JobSpec.WORKER));
        variables.put("MUSTER_INDEX", Template.text(Integer.toString(index)));
        variables.put("MUSTER_ATTEMPT", Template.of(new Part.FactOf(Part.Fact.ATTEMPT)));
        variables.put("MUSTER_RESUME_FROM", Template.of(new Part.FactOf(Part.Fact.RESUME_FROM)));
        variables.put("MUSTER_CODE_DIR", Template.of(new Part.PathOf(Part.Place.CODE)));
        variables.put("MUSTER_MODEL_DIR", Template.of(new Part.PathOf(Part.Place.MODEL)));
        variables.put("MUSTER_CHECKPOINT_DIR", Template.of(new Part.PathOf(Part.Place.CHECKPOINTS)));
        variables.put("MUSTER_CONTROL_DIR", Template.of(new Part.PathOf(Part.Place.CONTROL)));
        variables.put("MUSTER_REPORT_FILE", Template.of(new Part.PathOf(Part.Place.REPORT_FILE)));
        ProcessName name = new ProcessName(JobSpec.WORKER, index);
        for (String port : ports) {
            variables.put("PORT_" + port, Template.of(new Part.PortOf(name.member(), port)));
            variables.put("ADDRESS_" + port, Template.of(new Part.AddressOf(name.member(), port)));
            // Where member 0 is: what a coordinator's peers are given.
            variables.put("FIRST_" + port, Template.of(new Part.PortOf(name(0).member(), port)));
            variables.put("FIRST_ADDRESS", Template.of(new Part.AddressOf(name(0).member(), port)));
            variables.put("FIRST_HOST", Template.of(new Part.HostOf(name(0).member())));
        }
        Map<String, Template> contents = new TreeMap<>();
        files.forEach((path, text) -> contents.put(path, Template.text(text)));
        return new ProcessPlan(
                name,
                OptionalInt.of(index),
                OptionalInt.of(0),
                index == 0,
                argv.stream().map(Template::text).toList(),
                variables,
                contents,
                ports,
                join);
    }

    private static ProcessName name(int index) {
        return new ProcessName(JobSpec.WORKER, index);
    }

    /** An attempt of the process of a worker. */
    public ProcessKey key(int index, int attempt) {
        return new ProcessKey(id, name(index), attempt);
    }

    /** What starts an attempt of a worker. */
    public Launch launch(int index, int attempt, Placement placement, String folder) {
        ProcessPlan process = plan().process(name(index)).orElseThrow();
        return launch(key(index, attempt), process, placement, folder);
    }

    /** What starts an attempt of any process of the job. */
    public Launch launch(ProcessKey key, ProcessPlan process, Placement placement, String folder) {
        return new Launch(
                key, process, spec(), placement, Interpreter.NONE, code, folder, Optional.empty(), secrets, "", "");
    }

    /** The keys of every worker's attempt. */
    public Stream<ProcessKey> keys(int attempt) {
        return plan().processes().stream().map(process -> new ProcessKey(id, process.name(), attempt));
    }
}
