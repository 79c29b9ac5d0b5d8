package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Command;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Framework;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link BackendTck} about plans: what a framework's contract says is what each of its processes is given, on every backend. */
public abstract class PlansTck extends StopTck {
    private static final String PROGRAM = "cat /proc/self/environ; printf '%s\\0' \"$0\" \"$@\"";
    private static final List<String> TOLD = List.of("contract", "--of", "each role");

    /** The launch contract of a framework. */
    protected Framework framework(FrameworkKind kind) {
        throw new AssertionError("there is no contract of " + kind.text() + " here: override framework()");
    }

    /** With every role that the framework knows; what runs for them beside, and may need the framework's own software, is ended. */
    @ParameterizedTest
    @EnumSource(value = FrameworkKind.class, mode = EnumSource.Mode.EXCLUDE, names = "JVM")
    void a27_everyProcessOfAPlanIsGivenItsContract(FrameworkKind kind) throws Exception {
        Framework framework = framework(kind);
        TrialJob job = job("");
        JobSpec spec = job.spec(kind, roles(framework));
        assertThat(framework.check(spec)).isEmpty();
        assertThat(backend.check(spec)).isEmpty();
        LaunchPlan plan = framework.plan(spec, Group.of(spec));
        backend.prepare(job.id(), spec, job.origin(), line -> {});
        Placement placement = backend.place(job.id(), 1, spec, plan);
        List<Launch> launches = plan.processes().stream()
                .map(process -> new Launch(
                        new ProcessKey(job.id(), process.name(), 1),
                        process,
                        spec,
                        placement,
                        Interpreter.NONE,
                        Optional.empty(),
                        "/",
                        Optional.empty(),
                        Map.of(JobSpec.GROUP_SECRET, "known to the group"),
                        "",
                        ""))
                .toList();
        assertThat(launches).hasSizeGreaterThanOrEqualTo(2);
        for (Launch launch : launches) {
            backend.start(launch);
        }
        List<Launch> programs = launches.stream().filter(this::runsTheProgram).toList();
        assertThat(programs).isNotEmpty();
        for (Launch launch : programs) {
            assertThat(awaitEnd(launch.key()).code())
                    .as(launch.key().toString())
                    .isZero();
            assertIsGiven(launch);
        }
        for (Launch launch : launches) {
            if (!programs.contains(launch)) {
                backend.stop(launch.key(), StopHow.KILL);
                awaitEnd(launch.key());
            }
        }
    }

    private Map<String, RoleSpec> roles(Framework framework) {
        Map<String, RoleSpec> roles = new LinkedHashMap<>();
        List<String> argv = List.of("sh", "-c", PROGRAM, TOLD.get(0), TOLD.get(1), TOLD.get(2));
        for (String role : framework.roles()) {
            roles.put(
                    role,
                    new RoleSpec(
                            role.equals(JobSpec.WORKER) ? 2 : 1,
                            false,
                            new Command.Exec(argv),
                            Map.of(),
                            Resources.NONE,
                            new EnvironmentSpec(Optional.empty(), image())));
        }
        return roles;
    }

    private boolean runsTheProgram(Launch launch) {
        return backend.render(launch).argv().contains(PROGRAM);
    }

    private void assertIsGiven(Launch launch) throws Exception {
        Rendered rendered = backend.render(launch);
        List<String> said = Arrays.asList(log(launch.key()).split("\0", -1));
        rendered.env()
                .forEach((name, value) ->
                        assertThat(said).as(launch.key().toString()).contains(name + "=" + value));
        assertThat(said).containsSubsequence(TOLD);
    }
}
