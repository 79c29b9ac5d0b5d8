package dev.muster.backend.kubernetes;

import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RoleSpec;
import dev.muster.model.Template;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Groups of a framework as the training operator is given them. */
final class SampleTrainings {
    static final JobId JOB = new JobId("jabc");

    private SampleTrainings() {}

    /** A job of these roles, in this order, that asks for all that pods can carry. */
    static JobSpec spec(FrameworkKind framework, Map<String, Integer> roles) {
        return spec(framework, roles, 1);
    }

    static JobSpec spec(FrameworkKind framework, Map<String, Integer> roles, int processesPerWorker) {
        JobSpec like = SamplePods.whole().spec();
        RoleSpec worker = like.role(JobSpec.WORKER);
        Map<String, RoleSpec> all = new LinkedHashMap<>();
        roles.forEach((name, count) -> all.put(
                name,
                new RoleSpec(count, false, worker.command(), worker.env(), worker.resources(), worker.environment())));
        return new JobSpec(
                "trial",
                framework,
                BackendKind.KUBEFLOW,
                all,
                processesPerWorker,
                Optional.empty(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                like.checkpoints(),
                like.success(),
                like.restart(),
                Optional.empty(),
                0,
                like.limits(),
                "default",
                0,
                false,
                like.keep(),
                like.options());
    }

    /** What each member is started by, the first of the roles being the chief. */
    static Map<ProcessName, Launch> launches(TrainingKind kind, JobSpec spec) {
        List<ProcessPlan> plans = new ArrayList<>();
        spec.roles().forEach((role, each) -> {
            for (int index = 0; index < each.count(); index++) {
                plans.add(process(new ProcessName(role, index), plans.isEmpty()));
            }
        });
        LaunchPlan plan = new LaunchPlan(plans.size(), plans);
        Placement placement = TrainingPlaces.of(kind, TrainingPlaces.object(JOB, 2), "jobs", spec, plan);
        Map<ProcessName, Launch> launches = new TreeMap<>();
        plans.forEach(process -> launches.put(
                process.name(),
                new Launch(
                        new ProcessKey(JOB, process.name(), 2),
                        process,
                        spec,
                        placement,
                        Interpreter.NONE,
                        Optional.empty(),
                        "/",
                        Optional.empty(),
                        Map.of(),
                        "",
                        "")));
        return launches;
    }

    private static ProcessPlan process(ProcessName name, boolean chief) {
        Member self = name.member();
        return new ProcessPlan(
                name,
                OptionalInt.empty(),
                OptionalInt.empty(),
                chief,
                List.of(Template.text("true")),
                Map.of(
                        "TF_CONFIG",
                        Template.of(new Part.AddressOf(self, "tf")),
                        "MUSTER_INDEX",
                        Template.text(Integer.toString(name.index()))),
                Map.of(),
                List.of("tf"),
                new Join.Listens("tf"));
    }
}
