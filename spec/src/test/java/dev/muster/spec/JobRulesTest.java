package dev.muster.spec;

import static dev.muster.spec.Texts.LEAST;
import static dev.muster.spec.Texts.fields;
import static dev.muster.spec.Texts.job;
import static dev.muster.spec.Texts.problems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.SuccessPolicy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, thin jobs, fields in the wrong place, variables. */
class JobRulesTest {
    private static final String TENSORFLOW = "{name: demo, framework: tensorflow, command: x, %s}";

    @ParameterizedTest
    @CsvSource({"fit_a_line, fit-a-line", "Job A, job-a", "модель, ", "'', ", "-x-, x"})
    void b50_aNameThatIsNoLabelIsRefusedInPlainWords(String name, String suggestion) {
        assertThat(problems("name: \"" + name + "\"\nframework: plain\ncommand: x\n"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("name");
                    assertThat(problem.message()).startsWith("must be a DNS label: 1 to 40 lower-case letters");
                    assertThat(problem.suggestion().orElse(null)).isEqualTo(suggestion);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {41, 64, 253})
    void b50_aNameThatIsTooLongIsRefusedWithItsLength(int length) {
        Problem problem = problems(LEAST, "name=" + "a".repeat(length)).getFirst();
        assertThat(problem.message()).contains("(this has " + length + ")");
        assertThat(problem.suggestion()).contains("a".repeat(40));
    }

    @Test
    void b50_whatIsAppendedToANameIsCounted() {
        String text = "{name: " + "a".repeat(40)
                + ", framework: plain, command: x, roles: {worker: {}, %s: {sidecar: true}}}";
        assertThat(job(text.formatted("m".repeat(13))).roles()).hasSize(2);
        Problem problem = problems(text.formatted("m".repeat(15))).getFirst();
        assertThat(problem.field()).isEqualTo("roles." + "m".repeat(15));
        assertThat(problem.message()).contains("has 64 characters; 63 fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "roles: {chief: {}}",
                "roles: {chief: }",
                "roles: {chief: null, worker: {count: 1}}",
                "roles: {worker: {sidecar: false}}",
                "roles: ",
                "workers: "
            })
    void b53_aThinButLegalJobGetsDefaults(String group) {
        JobSpec spec = job(TENSORFLOW.formatted(group));
        assertThat(spec.roles().values()).allMatch(role -> role.count() == 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers: 0 | workers",
                "roles: {} | roles",
                "roles: {worker: {count: 0}} | roles.worker.count",
                "roles: {ps: {}} | roles",
                "roles: {evaluator: {}, metrics: {sidecar: true}} | roles",
                "roles: {worker: {command: []}} | roles.worker.command"
            })
    void b53_anImpossibleJobIsRefusedClearly(String group, String field) {
        assertThat(fields(TENSORFLOW.formatted(group))).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "processes: 0s | processes | belongs under keep",
                "requirements: r.txt | requirements | belongs under environment.python or under roles.NAME.environment.python",
                "restartLimit: 3 | restartLimit | max, under restart",
                "restrat: {max: 3} | restrat | restart",
                "keep: {deadline: 1h} | keep.deadline | belongs at the top",
                "keep: {log: 1d} | keep.log | logs",
                "restart: {rules: [{count: true}]} | restart.rules[0].count | counted, else it belongs under roles.NAME or under network.rdma",
                "roles: {worker: {restart: {max: 1}}} | roles.worker.restart | belongs at the top",
                "restart: {rules: [{exitCode: [1]}]} | restart.rules[0].exitCode | exitCodes",
                "Workers: 2 | Workers | workers",
                "graec: 3s | graec | grace"
            })
    void b55_aFieldInTheWrongPlaceOrMisspelledIsRefusedAndNamed(String line, String field, String suggestion) {
        assertThat(problems(TENSORFLOW.formatted(line)))
                .filteredOn(problem -> problem.field().equals(field))
                .singleElement()
                .satisfies(problem -> assertThat(problem.suggestion()).contains(suggestion));
    }

    @Test
    void workersAndRolesTogetherAreRefused() {
        assertThat(fields(TENSORFLOW.formatted("workers: 2, roles: {worker: {count: 2}}")))
                .containsExactly("workers");
    }

    @Test
    void aRoleIsTheFrameworksOrASidecar() {
        assertThat(fields(TENSORFLOW.formatted("roles: {worker: {}, wroker: {}}")))
                .containsExactly("roles.wroker");
        assertThat(problems(TENSORFLOW.formatted("roles: {worker: {}, wroker: {}}"))
                        .getFirst()
                        .suggestion())
                .contains("worker");
        assertThat(fields(TENSORFLOW.formatted("roles: {worker: {}, ps: {sidecar: true}}")))
                .containsExactly("roles.ps.sidecar");
        assertThat(fields("{name: a, framework: jax, command: x, roles: {worker: {}, ps: {}}}"))
                .containsExactly("roles.ps");
    }

    @Test
    void aJobHasAtMostTenThousandProcesses() {
        assertThat(fields(TENSORFLOW.formatted("roles: {worker: {count: 9000}, ps: {count: 1001}}")))
                .containsExactly("roles");
        assertThat(fields("{name: a, framework: pytorch, command: x, workers: 5001, processesPerWorker: 2}"))
                .containsExactly("workers");
    }

    @Test
    void blocksOfAnotherFrameworkAreRefused() {
        assertThat(fields(TENSORFLOW.formatted("pytorch: {launcher: torchrun}")))
                .containsExactly("pytorch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "env: {TF_CONFIG: x} | env.TF_CONFIG",
                "env: {MUSTER_RANK: 1} | env.MUSTER_RANK",
                "env: {MUSTER_: 1} | env.MUSTER_",
                "roles: {worker: {env: {MUSTER_ANYTHING: 1}}} | roles.worker.env.MUSTER_ANYTHING",
                "secrets: {TF_CONFIG: {env: A}} | secrets.TF_CONFIG",
                "secrets: {MUSTER_JOB_ID: {env: A}} | secrets.MUSTER_JOB_ID"
            })
    void a11_whatMusterSetsCannotBeOverridden(String line, String field) {
        assertThat(fields(TENSORFLOW.formatted(line))).containsExactly(field);
    }

    @Test
    void a11_namesOfOtherFrameworksAndTheUsersOwnAreFree() {
        String free = "env: {RANK: 1, PYTHONUNBUFFERED: 0, PATH: /bin, MUSTERED: 1, muster_rank: 1}";
        assertThat(job(TENSORFLOW.formatted(free)).role("worker").env()).hasSize(5);
        assertThat(fields("{name: a, framework: pytorch, command: x, env: {RANK: 1, MASTER_ADDR: x}}"))
                .containsExactlyInAnyOrder("env.RANK", "env.MASTER_ADDR");
        String torchrun = "{name: a, framework: pytorch, command: x, pytorch: {launcher: torchrun}, env: {%s: 1}}";
        assertThat(fields(torchrun.formatted("PET_NNODES"))).containsExactly("env.PET_NNODES");
        assertThat(job(torchrun.formatted("PET_REDIRECTS")).options().torchrun())
                .isTrue();
    }

    @Test
    void aVariableHasOneValue() {
        assertThat(fields(TENSORFLOW.formatted("env: {A: 1}, secrets: {A: {env: B}}")))
                .containsExactly("secrets.A");
        assertThat(fields(TENSORFLOW.formatted("roles: {worker: {env: {A: 1}}}, secrets: {A: {env: B}}")))
                .containsExactly("secrets.A");
        assertThat(fields(TENSORFLOW.formatted("data: {a-b: /x, A.B: /y}"))).containsExactly("data.A.B");
    }

    @Test
    void b56_valuesOfVariablesKeepTheirBytes() {
        Map<String, String> env = job("""
                        name: demo
                        framework: plain
                        command: x
                        env:
                          A: "l1\\nl2"
                          B: x=y=
                          C: 64(x2) $HOME "q"
                          D: ''
                          E: 0.10
                          F: 1e3
                          G: yes
                          H: 010
                          I: null
                          J: ~
                          K:
                          L: 2026-01-01
                          M: |
                            two
                            lines
                          N: "модель \\ud83d\\ude00"
                          O: 0x1F
                          P: .inf
                        """).role("worker").env();
        assertThat(env)
                .containsEntry("A", "l1\nl2")
                .containsEntry("B", "x=y=")
                .containsEntry("C", "64(x2) $HOME \"q\"")
                .containsEntry("D", "")
                .containsEntry("E", "0.10")
                .containsEntry("F", "1e3")
                .containsEntry("G", "yes")
                .containsEntry("H", "010")
                .containsEntry("I", "null")
                .containsEntry("J", "~")
                .containsEntry("K", "")
                .containsEntry("L", "2026-01-01")
                .containsEntry("M", "two\nlines\n")
                .containsEntry("N", "модель \uD83D\uDE00")
                .containsEntry("O", "0x1F")
                .containsEntry("P", ".inf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FOO.BAR", "1A", "A-B", "A B", "Ä", ""})
    void b56_aNameThatCannotBePassedIsRefused(String name) {
        assertThat(fields(LEAST + "env: {\"" + name + "\": x}")).containsExactly("env." + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\0b", "\\ud800"})
    void b56_aValueThatCannotBePassedIsRefused(String value) {
        assertThat(fields(LEAST + "env: {A: \"" + value + "\"}")).containsExactly("env.A");
        assertThat(fields("{name: a, framework: plain, command: [x, \"" + value + "\"]}"))
                .containsExactly("command[1]");
        assertThat(fields("{name: a, framework: plain, command: \"x" + value + "\"}"))
                .containsExactly("command");
    }

    @Test
    void b56_aValueLongerThanTheSystemTakesIsRefused() {
        int longest = 32 * 4096 - 1 - "A=".length();
        assertThat(job(LEAST, "env.A=" + "x".repeat(longest))
                        .role("worker")
                        .env()
                        .get("A"))
                .hasSize(longest);
        assertThat(fields(LEAST, "env.A=" + "x".repeat(longest + 1))).containsExactly("env.A");
    }

    @Test
    void aSecretWrittenIntoTheTextIsNotRepeatedInTheAnswer() {
        String text = LEAST + "secrets: {TOKEN: s3cr3tXYZ, KEY: [s3cr3tXYZ], OTHER: {value: s3cr3tXYZ}}\n"
                + "env: {A: \"s3cr3tXYZ\\0\", B: [s3cr3tXYZ]}";
        assertThat(problems(text))
                .hasSizeGreaterThan(4)
                .noneMatch(problem -> problem.toString().contains("s3cr3tXYZ"));
    }

    @Test
    void successMayNameTheLauncherThatAnMpiJobAlwaysHas() {
        String mpi = "{name: a, framework: mpi, command: [mpirun, x], success: 'role:%s'}";
        assertThat(job(mpi.formatted("launcher")).success()).isEqualTo(new SuccessPolicy.OfRole("launcher"));
        assertThat(fields(mpi.formatted("chief"))).containsExactly("success");
    }
}
