package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Straggler;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import dev.muster.spi.Telemetry.Signs;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who holds a group up that goes on, and what a person is warned of. */
final class StragglerTest {
    private final World world = new World();

    private static ProcessName worker(int index) {
        return new ProcessName("worker", index);
    }

    private Pace pace(long millis, long reports) {
        Duration step = Duration.ofMillis(millis);
        return new Pace(
                10, world.clock.now(), OptionalLong.empty(), Optional.of(new Rhythm(step, step, step, reports)));
    }

    private Optional<Straggler> paces(long... millis) {
        Map<ProcessName, Pace> paces = new LinkedHashMap<>();
        for (int index = 0; index < millis.length; index++) {
            paces.put(worker(index), pace(millis[index], 5));
        }
        return Straggler.of(paces, Map.of());
    }

    private static Optional<Straggler> cores(double... wanted) {
        Map<ProcessName, Double> cores = new LinkedHashMap<>();
        for (int index = 0; index < wanted.length; index++) {
            cores.put(worker(index), wanted[index]);
        }
        return Straggler.of(Map.of(), cores);
    }

    @Test
    void a49_aRankWhoseStepTakesTwiceAsLongIsNamed() {
        assertThat(paces(400, 400, 1200)).contains(new Straggler(worker(2), "it takes 1.2 s a step, the others 0.4 s"));
        assertThat(paces(30, 10)).contains(new Straggler(worker(0), "it takes 0.030 s a step, the others 0.010 s"));
        assertThat(paces(400, 500, 700)).isEmpty();
        assertThat(paces(400)).isEmpty();
        assertThat(Straggler.of(Map.of(worker(0), pace(100, 4), worker(1), pace(900, 4)), Map.of()))
                .as("too few reports")
                .isEmpty();
    }

    @Test
    void a49_theOneThatIsBusyWhileTheOthersWaitIsNamed() {
        assertThat(cores(0.3, 1.02, 0.2))
                .contains(new Straggler(
                        worker(1), "it wanted 1.0 cores of late, the others 0.3 at most: they wait for it"));
        assertThat(cores(1, 0.9)).isEmpty();
        assertThat(cores(0.1, 0.01)).as("nobody is busy").isEmpty();
        assertThat(cores(1)).isEmpty();
    }

    @Test
    void a49_getNamesIt() {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        world.backend.wantedCores(key -> key.name().index() == 1 ? 1.0 : 0.2);
        world.pass(Duration.ofSeconds(8));
        assertThat(going(id).straggler()).as("two looks say too little").isEmpty();
        world.pass(Duration.ofSeconds(12));
        assertThat(going(id).straggler().orElseThrow().process()).isEqualTo(worker(1));
    }

    @Test
    void silenceIsTold() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        Map<ProcessKey, Pace> paces = new HashMap<>();
        paces.put(World.key(id, "worker-0", 1), pace(400, 20));
        world.telemetry.says(id, new Signs(Set.of(), Map.of(), Said.progress(10), 0, List.of(), paces, Map.of()));
        world.pass(Duration.ofSeconds(115));
        assertThat(going(id).warning()).isEmpty();
        assertThat(going(id).paces()).containsOnlyKeys(worker(0));
        world.pass(Duration.ofSeconds(70));
        assertThat(going(id).warning())
                .contains("worker-0 has said nothing for 3 min; it used to tell a step every 0.4 s");
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
    }

    private Going going(JobId id) {
        return world.jobs.get(id).orElseThrow().going();
    }
}
