package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.RestartPolicy;
import dev.muster.model.RestartScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrainingChecksTest {
    static JobSpec tensorflow(Options options, RestartPolicy restart, Map<String, Integer> roles) {
        JobSpec like = SampleTrainings.spec(FrameworkKind.TENSORFLOW, roles);
        return new JobSpec(
                like.name(),
                like.framework(),
                like.backend(),
                like.roles(),
                1,
                Optional.empty(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                like.checkpoints(),
                like.success(),
                restart,
                Optional.empty(),
                0,
                like.limits(),
                "default",
                0,
                false,
                like.keep(),
                options);
    }

    private static List<String> fields(JobSpec spec) {
        return TrainingChecks.of(spec).stream()
                .peek(problem -> assertThat(problem.suggestion()).isPresent())
                .map(Problem::field)
                .toList();
    }

    @Test
    void whatTheOperatorRunsIsTaken() {
        assertThat(fields(SampleTrainings.spec(FrameworkKind.TENSORFLOW, Map.of("worker", 2, "ps", 1))))
                .isEmpty();
        assertThat(fields(SampleTrainings.spec(FrameworkKind.PYTORCH, Map.of("chief", 1, "worker", 2))))
                .isEmpty();
        assertThat(fields(SampleTrainings.spec(FrameworkKind.MPI, Map.of("launcher", 1, "worker", 2))))
                .isEmpty();
    }

    @Test
    void otherFrameworksAreRefused() {
        for (FrameworkKind framework :
                List.of(FrameworkKind.PLAIN, FrameworkKind.JAX, FrameworkKind.XGBOOST, FrameworkKind.HOROVOD)) {
            assertThat(fields(SampleTrainings.spec(framework, Map.of("worker", 2))))
                    .containsExactly("framework");
        }
    }

    @Test
    void b01_anEvaluatorOutsideTheClusterMapIsRefused() {
        Map<String, Integer> roles = Map.of("worker", 1, "evaluator", 1);
        assertThat(fields(tensorflow(Options.DEFAULT, RestartPolicy.NEVER, roles)))
                .containsExactly("tensorflow.evaluatorInCluster");
        Options inside =
                new Options(true, false, false, "127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(fields(tensorflow(inside, RestartPolicy.NEVER, roles))).isEmpty();
    }

    @Test
    void oneMemberIsNotStartedAnewAlone() {
        RestartPolicy.Rule rule = new RestartPolicy.Rule(
                Set.of(3), Set.of(), Optional.empty(), RestartPolicy.Action.RESTART, true, RestartScope.PROCESS);
        RestartPolicy policy = new RestartPolicy(1, RestartPolicy.NEVER.backoff(), List.of(rule));
        assertThat(fields(tensorflow(Options.DEFAULT, policy, Map.of("worker", 2))))
                .containsExactly("restart.rules[0].scope");
    }

    @Test
    void a45_anElasticGroupIsRefusedAndSaidWhy() {
        JobSpec fixed = SamplePods.whole().withElastic(1, 3).spec();
        assertThat(TrainingChecks.of(fixed))
                .filteredOn(problem -> problem.field().equals("elastic"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.message()).contains("the number of pods it was made with");
                    assertThat(problem.suggestion().orElse("")).contains("backend: kubernetes");
                });
    }

    @Test
    void theHostsNetworkIsRefused() {
        Options host = new Options(
                false,
                false,
                false,
                "127.0.0.1",
                Optional.of(new Options.Network(Optional.empty(), true, Optional.empty())),
                Optional.empty(),
                Optional.empty());
        assertThat(fields(tensorflow(host, RestartPolicy.NEVER, Map.of("worker", 2))))
                .containsExactly("network.hostNetwork");
    }
}
