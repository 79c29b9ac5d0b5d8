package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Elastic;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Limits;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.testkit.TrialJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalChecksTest {
    private static final TrialJob JOB = TrialJob.script(new JobId("j1"), BackendKind.LOCAL, "exit 0");
    private static final Cgroups ALL =
            new Cgroups.Version1(Optional.of(Path.of("/f")), Optional.of(Path.of("/m")), Optional.of(Path.of("/c")));

    private static List<Problem> check(JobSpec spec) {
        return new LocalChecks(ALL, RunAs.NOBODY_ELSE).check(spec);
    }

    private static List<String> fields(List<Problem> problems) {
        return problems.stream().map(Problem::field).toList();
    }

    @Test
    void aPlainJobIsAccepted() {
        assertThat(check(JOB.spec())).isEmpty();
    }

    @Test
    void everythingThatCannotBeDoneIsToldAtOnceAndBlocksOfOtherBackendsDoNoHarm() {
        JobSpec spec = JOB.withOptions(new Options(
                        false,
                        false,
                        false,
                        "127.0.0.1",
                        Optional.of(new Options.Network(Optional.of("eth0"), false, Optional.empty())),
                        Optional.of(new Options.Docker(OptionalLong.empty(), List.of(), Optional.empty())),
                        Optional.of(Map.of("namespace", "x"))))
                .withData(Map.of("remote", "s3://bucket/x", "web", "HTTPS://host/x", "set", "dataset:fashion@2"))
                .spec();
        JobSpec all = new JobSpec(
                spec.name(),
                spec.framework(),
                spec.backend(),
                spec.roles(),
                1,
                spec.code(),
                spec.secrets(),
                spec.data(),
                spec.model(),
                spec.checkpoints(),
                spec.success(),
                spec.restart(),
                Optional.of(new Elastic(1, 2)),
                0,
                new Limits(Optional.empty(), Duration.ofMinutes(1), Optional.empty(), Optional.empty(), Duration.ZERO),
                spec.queue(),
                0,
                false,
                spec.keep(),
                spec.options());
        assertThat(fields(check(all))).containsExactlyInAnyOrder("network", "data.remote", "data.web", "data.set");
        assertThat(check(all))
                .allSatisfy(problem -> assertThat(problem.toString()).contains("not yet on this backend"));
    }

    @Test
    void anotherBackendsJobIsRefused() {
        TrialJob other = TrialJob.script(new JobId("j1"), BackendKind.DOCKER, "exit 0");
        assertThat(fields(check(other.spec()))).contains("backend");
    }

    @Test
    void b18_dataThatIsNotThereIsRefusedWhereItCanBeSeen(@TempDir Path folder) {
        String missing = folder.resolve("missing").toString();
        assertThat(check(JOB.withData(Map.of("a", missing, "b", folder.toString(), "c", "relative"))
                        .spec()))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("data.a");
                    assertThat(problem.message()).contains(missing);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1"})
    void anAddressOfThisMachineIsAccepted(String address) {
        assertThat(check(JOB.withOptions(at(address)).spec())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "0.0.0.0", "::", "localhost", "", "127.0.0.1:80", "2001:db8::1"})
    void anotherAddressIsRefused(String address) {
        assertThat(fields(check(JOB.withOptions(at(address)).spec()))).containsExactly("local.address");
    }

    private static Options at(String address) {
        return new Options(false, false, false, address, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void aLimitThatCannotBeEnforcedIsRefused() {
        TrialJob limited = JOB.withResources(new Resources(OptionalInt.of(500), OptionalLong.of(1 << 20), 0));
        assertThat(check(limited.spec())).isEmpty();
        assertThat(fields(new LocalChecks(new Cgroups.None(), RunAs.NOBODY_ELSE).check(limited.spec())))
                .containsExactly("resources.cpus", "resources.memory");
        Cgroups onlyMemory = new Cgroups.Version1(Optional.empty(), Optional.of(Path.of("/m")), Optional.empty());
        assertThat(fields(new LocalChecks(onlyMemory, RunAs.NOBODY_ELSE).check(limited.spec())))
                .containsExactly("resources.cpus");
    }
}
