package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.Placement;
import dev.muster.testkit.TrialJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static final Options HOST_NETWORK = new Options(
            false,
            false,
            false,
            "127.0.0.1",
            Optional.of(new Options.Network(Optional.empty(), true, Optional.empty())),
            Optional.empty(),
            Optional.empty());

    private static final TrialJob JOB =
            SamplePods.whole().withOptions(HOST_NETWORK).withElastic(1, 4).withPorts("a", "b");

    private static Placement place(TrialJob job, Integer... absent) {
        return Places.of(
                "jabc",
                "jobs",
                job.spec(),
                job.plan().of(name -> !List.of(absent).contains(name.index())));
    }

    @Test
    void a45_onTheHostsNetworkAPortDoesNotDependOnWhoElseIsThere() {
        Placement all = place(JOB.withWorkers(4));
        Placement without = place(JOB.withWorkers(4), 0, 2);
        assertThat(without.isPartOf(all)).isTrue();
        assertThat(without.ports().keySet()).containsExactly(new Member("worker", 1), new Member("worker", 3));
        assertThat(place(JOB.withWorkers(2)).isPartOf(all)).isTrue();
    }

    @Test
    void a20_onTheHostsNetworkAllPortsOfAJobDiffer() {
        List<Integer> ports = new ArrayList<>();
        place(JOB.withWorkers(4)).ports().values().forEach(each -> ports.addAll(each.values()));
        assertThat(ports).hasSize(8).doesNotHaveDuplicates();
    }
}
