package dev.muster.backend.kubernetes;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Options;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Resources;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Launches that between them ask for everything a pod can carry. */
final class SamplePods {
    static final Path HOME = Path.of("/muster-home");

    private SamplePods() {}

    static KubernetesConfig config() {
        return TestCluster.config(Path.of("/none"), new JobFolders(HOME), new Snapshots(), "house");
    }

    static TrialJob plain() {
        return TrialJob.script(new JobId("jabc"), BackendKind.KUBERNETES, "exit 0")
                .withImage("registry.example/image:1");
    }

    static TrialJob with(Optional<Options.Network> network, Map<String, Object> kubernetes) {
        return plain().withOptions(new Options(
                false, false, false, "127.0.0.1", network, Optional.empty(), Optional.of(kubernetes)));
    }

    /** Every field of the {@code kubernetes} block. */
    static TrialJob whole() {
        return with(
                        Optional.empty(),
                        Map.of(
                                "nodeSelector", Map.of("disk", "ssd"),
                                "tolerations",
                                        List.of(Map.of("key", "gpu", "operator", "Exists", "effect", "NoSchedule")),
                                "affinity",
                                        Map.of(
                                                "nodeAffinity",
                                                Map.of(
                                                        "requiredDuringSchedulingIgnoredDuringExecution",
                                                        Map.of(
                                                                "nodeSelectorTerms",
                                                                List.of(Map.of(
                                                                        "matchExpressions",
                                                                        List.of(Map.of(
                                                                                "key",
                                                                                "zone",
                                                                                "operator",
                                                                                "In",
                                                                                "values",
                                                                                List.of("a")))))))),
                                "serviceAccount", "default",
                                "imagePullSecrets", List.of("registry"),
                                "volumes",
                                        List.of(Map.of(
                                                "name",
                                                "cache",
                                                "mountPath",
                                                "/cache",
                                                "readOnly",
                                                true,
                                                "persistentVolumeClaim",
                                                Map.of("claimName", "cache"))),
                                "checkpointClaim", "shared",
                                "podPatch", Map.of("metadata", Map.of("labels", Map.of("team", "vision")))))
                .withResources(new Resources(OptionalInt.of(500), OptionalLong.of(1L << 30), 2));
    }

    static TrialJob rdma() {
        return with(
                        Optional.of(new Options.Network(
                                Optional.of("ib0"), true, Optional.of(new Options.Rdma("rdma/hca", 1)))),
                        Map.of())
                .withPorts("a");
    }

    static TrialJob patched(Map<String, Object> patch) {
        return with(Optional.empty(), Map.of("podPatch", patch));
    }

    static TrialJob kueue() {
        return with(Optional.empty(), Map.of("kueueQueue", "team-a")).withWorkers(3);
    }

    /** One of a group that another pod may take the place of. */
    static TrialJob standby() {
        return plain().withArgv("python3", "train.py")
                .withWorkers(2)
                .withResources(new Resources(OptionalInt.of(2000), OptionalLong.of(1L << 30), 0))
                .withStandby(1);
    }

    /** One that is held ready beside it. */
    static Launch held() {
        TrialJob job = standby();
        ProcessName name = new ProcessName(JobSpec.STANDBY, 0);
        ProcessPlan worker = job.plan().processes().getFirst();
        ProcessPlan held = new ProcessPlan(
                name,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false,
                worker.argv(),
                worker.env(),
                worker.files(),
                List.of(),
                new Join.Started());
        List<ProcessPlan> all = new ArrayList<>(job.plan().processes());
        all.add(held);
        Placement placement = Places.of("jabc", "default", job.spec(), new LaunchPlan(2, all));
        return job.launch(new ProcessKey(job.id(), name, 1), held, placement, "/");
    }

    static Launch launch(TrialJob job) {
        Placement placement = Places.of("jabc", "default", job.spec(), job.plan());
        return job.launch(0, 1, placement, "/");
    }
}
