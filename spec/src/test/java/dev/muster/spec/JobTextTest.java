package dev.muster.spec;

import static dev.muster.spec.Texts.LEAST;
import static dev.muster.spec.Texts.fields;
import static dev.muster.spec.Texts.job;
import static dev.muster.spec.Texts.problems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.CheckpointPolicy;
import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.Keep;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.model.RestartPolicy;
import dev.muster.model.SuccessPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobTextTest {
    @Test
    void theLeastTextHasEveryDefault() {
        JobSpec spec = job(LEAST);
        assertThat(spec.backend()).isEqualTo(BackendKind.LOCAL);
        assertThat(spec.roles()).containsOnlyKeys("worker");
        assertThat(spec.role("worker").count()).isEqualTo(1);
        assertThat(spec.role("worker").sidecar()).isFalse();
        assertThat(spec.role("worker").resources()).isEqualTo(Resources.NONE);
        assertThat(spec.role("worker").environment()).isEqualTo(EnvironmentSpec.NONE);
        assertThat(spec.processesPerWorker()).isEqualTo(1);
        assertThat(spec.code()).isEmpty();
        assertThat(spec.model()).isEmpty();
        assertThat(spec.checkpoints()).isEqualTo(CheckpointPolicy.DEFAULT);
        assertThat(spec.success()).isEqualTo(new SuccessPolicy.Default());
        assertThat(spec.restart()).isEqualTo(RestartPolicy.NEVER);
        assertThat(spec.elastic()).isEmpty();
        assertThat(spec.limits()).isEqualTo(Limits.DEFAULT);
        assertThat(spec.queue()).isEqualTo("default");
        assertThat(spec.priority()).isZero();
        assertThat(spec.suspended()).isFalse();
        assertThat(spec.keep()).isEqualTo(Keep.DEFAULT);
        assertThat(spec.options()).isEqualTo(Options.DEFAULT);
    }

    @Test
    void a1_everyMissingRequiredFieldIsNamed() {
        assertThat(fields("{}")).containsExactlyInAnyOrder("name", "framework", "command");
        assertThat(fields("workers: 2")).containsExactlyInAnyOrder("name", "framework", "command");
        assertThat(fields("{name: a, framework: plain}")).containsExactly("command");
        assertThat(fields("{framework: plain, command: x}")).containsExactly("name");
        assertThat(fields("{name: a, command: x}")).containsExactly("framework");
        assertThat(fields("")).containsExactly("");
    }

    @Test
    void a1_aMissingFrameworkIsToldWithAllThereAre() {
        assertThat(problems("{name: a, command: x}").getFirst().suggestion())
                .contains("tensorflow, pytorch, horovod, mpi, jax, xgboost, plain");
    }

    @Test
    void a1_aCommandIsRequiredInEveryRoleWhereThereIsNoneAtTheTop() {
        String text = "{name: a, framework: plain, roles: {chief: {command: x}, worker: {count: 2}}}";
        assertThat(fields(text)).containsExactly("roles.worker.command");
    }

    @Test
    void a2_everyWrongValueIsToldAtOnce() {
        assertThat(fields("""
                        name: Job A
                        framework: tensorfloww
                        workers: -1
                        command: ''
                        env: {MUSTER_RANK: "1"}
                        restart: {max: many}
                        """))
                .containsExactlyInAnyOrder("name", "framework", "workers", "command", "env.MUSTER_RANK", "restart.max");
    }

    @Test
    void a2_anUnknownFrameworkGetsTheNearestName() {
        Problem problem = problems(LEAST, "framework=tensorflo").getFirst();
        assertThat(problem.field()).isEqualTo("framework");
        assertThat(problem.suggestion()).contains("tensorflow");
    }

    @Test
    void theFrameworksOwnRulesAreAskedInTheSameAnswer() {
        assertThat(fields("""
                        name: Demo
                        framework: tensorflow
                        command: x
                        processesPerWorker: 2
                        roles: {chief: {count: 2}, worker: {}}
                        """)).containsExactlyInAnyOrder("name", "roles.chief.count", "processesPerWorker");
        assertThat(fields("{name: a, framework: jvm, command: x}")).containsExactly("framework");
    }

    @Test
    void anUnknownFrameworkIsAnsweredWithThoseThatCanBeUsed() {
        assertThat(problems("{name: a, framework: torch, command: x}"))
                .singleElement()
                .asString()
                .contains("tensorflow, pytorch, horovod, mpi, jax, xgboost, plain (jvm comes later)");
    }

    @Test
    void a45_aNumberOfWorkersOutOfBoundsIsAnsweredWithBoundsThatHoldIt() {
        assertThat(problems("{name: a, framework: horovod, command: x, workers: 2, elastic: {min: 3, max: 4}}"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("elastic");
                    assertThat(problem.suggestion()).contains("{min: 2, max: 4}, or another number of workers");
                });
    }

    @Test
    void rolesAreInTheOrderOfRanks() {
        JobSpec spec = job("""
                name: demo
                framework: tensorflow
                command: x
                roles: {metrics: {sidecar: true}, ps: {}, worker: {count: 2}, chief: {}}
                """);
        assertThat(spec.roles().keySet()).containsExactly("chief", "worker", "metrics", "ps");
    }

    @Test
    void rolesTakeFromTheJobWhatTheyDoNotSay() {
        JobSpec spec = job("""
                name: demo
                framework: plain
                command: [train]
                env: {A: job, B: job}
                resources: {cpus: 2, memory: 1GiB, gpus: 1}
                environment: {python: {requirements: r.txt}, image: base}
                roles:
                  worker: {count: 2}
                  metrics:
                    sidecar: true
                    command: watch it
                    env: {B: role, C: role}
                    resources: {cpus: 500m, gpus: 0}
                    environment: {image: small}
                """);
        assertThat(spec.role("worker").env()).isEqualTo(Map.of("A", "job", "B", "job"));
        assertThat(spec.role("metrics").env()).isEqualTo(Map.of("A", "job", "B", "role", "C", "role"));
        assertThat(spec.role("metrics").command()).isEqualTo(new Command.Shell("watch it"));
        assertThat(spec.role("worker").command()).isEqualTo(new Command.Exec(List.of("train")));
        assertThat(spec.role("metrics").resources().milliCpus()).hasValue(500);
        assertThat(spec.role("metrics").resources().memoryBytes()).hasValue(1L << 30);
        assertThat(spec.role("metrics").resources().gpusAsked()).hasValue(0);
        assertThat(spec.role("worker").resources().gpus()).isEqualTo(1);
        assertThat(spec.role("metrics").environment().image()).contains("small");
        assertThat(spec.role("metrics").environment().python())
                .contains(new EnvironmentSpec.Python(Optional.of("r.txt"), Optional.empty(), false));
    }

    @Test
    void jsonIsReadByTheSameParser() {
        assertThat(job("{\"name\":\"demo\",\"framework\":\"plain\",\"command\":[\"python\",\"train.py\"]}"))
                .isEqualTo(job(LEAST));
        assertThat(job(
                        "{\n\t\"name\": \"demo\",\n\t\"framework\": \"plain\",\n\t\"command\": [\"python\", \"train.py\"],\n"
                                + "\t\"model\": null\n}"))
                .isEqualTo(job(LEAST));
    }

    @Test
    void needsAreWhatHasToBeSentAlong() {
        Needs needs = Needs.of(job("""
                name: demo
                framework: plain
                command: x
                code: src
                secrets: {A: {env: TOKEN}, B: {env: TOKEN}, C: {env: KEY}}
                environment: {python: {requirements: r.txt}}
                roles: {worker: {}, metrics: {sidecar: true, environment: {python: {requirements: m.txt}}}}
                """));
        assertThat(needs.code()).contains("src");
        assertThat(needs.requirements()).containsExactly("m.txt", "r.txt");
        assertThat(needs.secretVariables()).containsExactly("KEY", "TOKEN");
    }
}
