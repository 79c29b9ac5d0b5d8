package dev.muster.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.ProcessPlan;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every plan of every group (acceptance row A20). */
class PlanPropertiesTest {
    @Provide
    Arbitrary<JobSpec> jobs() {
        Arbitrary<FrameworkKind> kinds = Arbitraries.of(FrameworkKind.class).filter(kind -> kind != FrameworkKind.JVM);
        Arbitrary<Integer> few = Arbitraries.integers().between(0, 3);
        return Combinators.combine(
                        kinds, Arbitraries.integers().between(0, 1), few, few, few, few, Arbitraries.of(true, false))
                .as((kind, chief, workers, servers, sidecars, more, flag) -> {
                    int chiefs = kind == FrameworkKind.MPI ? 0 : chief;
                    Jobs job = Jobs.of(kind)
                            .role("chief", chiefs)
                            .role("worker", chiefs == 0 ? Math.max(1, workers) : workers)
                            .sidecar("metrics", sidecars);
                    if (kind == FrameworkKind.TENSORFLOW) {
                        job.role("ps", servers).role("evaluator", more % 2);
                        job = more > 1 ? job.evaluatorInCluster() : job;
                        job = flag && servers > 0 ? job.sparseCluster() : job;
                    }
                    if (kind == FrameworkKind.HOROVOD) {
                        job.processesPerWorker(more + 1);
                    }
                    if (kind == FrameworkKind.PYTORCH) {
                        job.processesPerWorker(more + 1);
                        job = flag ? job.torchrun() : job;
                    }
                    return job.spec();
                });
    }

    private static LaunchPlan plan(JobSpec spec) {
        return Frameworks.of(spec.framework()).plan(spec, Group.of(spec));
    }

    private static Stream<ProcessPlan> ranked(LaunchPlan plan) {
        return plan.processes().stream().filter(process -> process.rank().isPresent());
    }

    private static String env(ProcessPlan process, String name) {
        return Site.FRESH.env(process).get(name);
    }

    @Property
    void a20_ranksAreUniqueAndWithoutGaps(@ForAll("jobs") JobSpec spec) {
        LaunchPlan plan = plan(spec);
        List<Integer> ranks =
                ranked(plan).map(process -> process.rank().getAsInt()).toList();
        assertThat(ranks).isEqualTo(IntStream.range(0, plan.worldSize()).boxed().toList());
        assertThat(ranked(plan).map(process -> env(process, "MUSTER_RANK")))
                .isEqualTo(ranks.stream().map(String::valueOf).toList());
        assertThat(plan.processes().stream().map(process -> env(process, "MUSTER_WORLD_SIZE")))
                .containsOnly(Integer.toString(plan.worldSize()));
    }

    @Property
    void a20_namesAreUniqueAndOneProcessIsChief(@ForAll("jobs") JobSpec spec) {
        LaunchPlan plan = plan(spec);
        assertThat(plan.processes()).extracting(ProcessPlan::name).doesNotHaveDuplicates();
        assertThat(plan.processes().stream().filter(ProcessPlan::chief))
                .hasSize(1)
                .allMatch(process -> process.rank().equals(OptionalInt.of(0)))
                .allMatch(process -> "true".equals(env(process, "MUSTER_IS_CHIEF")));
    }

    @Property
    void a20_everyRankIsToldTheSameMaster(@ForAll("jobs") JobSpec spec) {
        LaunchPlan plan = plan(spec);
        Member first = ranked(plan).findFirst().orElseThrow().name().member();
        for (String name : List.of("MASTER_ADDR", "PET_MASTER_ADDR")) {
            assertThat(ranked(plan).map(process -> env(process, name)).filter(value -> value != null))
                    .allMatch((first + ".host")::equals);
        }
        for (String name : List.of(
                "MASTER_PORT",
                "PET_MASTER_PORT",
                "WORLD_SIZE",
                "PET_NNODES",
                "JAX_COORDINATOR_ADDRESS",
                "HOROVOD_SIZE",
                "HOROVOD_GLOO_RENDEZVOUS_PORT",
                "DMLC_TRACKER_PORT",
                "DMLC_NUM_WORKER")) {
            assertThat(ranked(plan)
                            .map(process -> String.valueOf(env(process, name)))
                            .distinct())
                    .hasSize(1);
        }
    }

    @Property
    void a20_everyAddressRefersToAReservedPort(@ForAll("jobs") JobSpec spec) {
        LaunchPlan plan = plan(spec);
        Set<String> reserved = new HashSet<>();
        plan.ports().forEach((member, ports) -> ports.forEach(port -> reserved.add(member + "/" + port)));
        Stream<String> named = plan.processes().stream()
                .flatMap(process -> Stream.concat(process.argv().stream(), process.env().values().stream()))
                .flatMap(template -> template.parts().stream())
                .flatMap(PlanPropertiesTest::reference);
        Stream<String> joined = plan.processes().stream().flatMap(process -> switch (process.join()) {
            case Join.Started() -> Stream.empty();
            case Join.Listens(String port) -> Stream.of(process.name().member() + "/" + port);
            case Join.Connected(Member member, String port) -> Stream.of(member + "/" + port);
        });
        assertThat(Stream.concat(named, joined)).allMatch(reserved::contains);
    }

    @Property
    void a20_everyTaskSeesTheSameHostsAndNobodyAnUnaskedEvaluator(@ForAll("jobs") JobSpec spec) {
        List<String> configs = plan(spec).processes().stream()
                .map(process -> env(process, "TF_CONFIG"))
                .filter(config -> config != null)
                .toList();
        List<String> clusters = configs.stream()
                .map(config -> config.substring(0, config.indexOf(",\"task\"")))
                .distinct()
                .toList();
        if (!spec.options().sparseCluster()) {
            assertThat(clusters).hasSizeLessThanOrEqualTo(1);
        }
        if (!spec.options().evaluatorInCluster()) {
            assertThat(clusters).noneMatch(cluster -> cluster.contains("evaluator"));
        }
        assertThat(configs).doesNotHaveDuplicates();
    }

    private static Stream<String> reference(Part part) {
        return switch (part) {
            case Part.AddressOf(Member member, String port) -> Stream.of(member + "/" + port);
            case Part.PortOf(Member member, String port) -> Stream.of(member + "/" + port);
            case Part.Text ignored -> Stream.empty();
            case Part.HostOf ignored -> Stream.empty();
            case Part.PathOf ignored -> Stream.empty();
            case Part.DataPath ignored -> Stream.empty();
            case Part.SecretValue ignored -> Stream.empty();
            case Part.FactOf ignored -> Stream.empty();
            case Part.WhereBash ignored -> Stream.empty();
        };
    }

    @Property
    void everyVariableOfAFrameworkIsReserved(@ForAll("jobs") JobSpec spec) {
        Set<String> reserved = Frameworks.of(spec.framework()).reservedEnv(spec);
        Set<String> settable = Set.of("PATH", "PYTHONUNBUFFERED");
        assertThat(plan(spec).processes())
                .allSatisfy(process -> assertThat(process.env().keySet())
                        .allMatch(name ->
                                name.startsWith("MUSTER_") || reserved.contains(name) || settable.contains(name)));
    }

    @Property
    void aPlanIsAPureFunction(@ForAll("jobs") JobSpec spec) {
        assertThat(plan(spec)).isEqualTo(plan(spec));
        assertThat(Frameworks.of(spec.framework()).check(spec))
                .allMatch(problem -> problem.field().equals("tensorflow.evaluatorInCluster"));
    }
}
