package dev.muster.control.schedule;

import static dev.muster.control.schedule.Cluster.names;
import static dev.muster.control.schedule.Cluster.preempting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who makes room for a higher priority, and who does not. */
final class PreemptionTest {
    private static List<String> preempted(Outcome outcome) {
        return names(
                outcome.preempted().stream().map(Outcome.Preemption::victim).toList());
    }

    @Test
    void a28_priorityOnlyOvertakesUnlessTheQueuePreempts() {
        Cluster cluster = new Cluster(1);
        cluster.job("low").waits();
        cluster.pass();
        cluster.job("high").priority(1).waits();
        assertThat(cluster.pass().preempted()).isEmpty();
    }

    @Test
    void a28_theLowestPriorityGoesFirstAndOfThatTheYoungest() {
        Cluster cluster = new Cluster(4, preempting("default"));
        cluster.job("old").waits();
        cluster.job("middle").priority(1).waits();
        cluster.job("young").waits();
        cluster.job("equal").priority(2).waits();
        cluster.pass();
        cluster.job("high").priority(2).processes(2).waits();
        Outcome outcome = cluster.pass();
        assertThat(preempted(outcome)).containsExactly("young", "old");
        assertThat(outcome.preempted().getFirst().reason()).isEqualTo("made room for job high, which has priority 2");
        assertThat(cluster.why("high"))
                .isEqualTo("waits for 2 processes, 0 are free, and others are being stopped to make room for it;"
                        + " it is next in queue default");
        cluster.ends("young").ends("old");
        assertThat(names(cluster.pass().admitted())).containsExactly("high");
    }

    @Test
    void oneIsEnoughWhereOneGivesEnough() {
        Cluster cluster = new Cluster(4, preempting("default"));
        cluster.job("gang").processes(2).waits();
        cluster.job("one").waits();
        cluster.job("two").waits();
        cluster.pass();
        cluster.job("high").priority(1).processes(2).waits();
        assertThat(preempted(cluster.pass())).containsExactly("gang");
    }

    @Test
    void nobodyIsPreemptedWhoIsNotNeeded() {
        Cluster cluster = new Cluster(6, preempting("default"));
        cluster.job("three").processes(3).waits();
        cluster.job("two").processes(2).waits();
        cluster.job("one").waits();
        cluster.pass();
        cluster.job("high").priority(1).processes(5).waits();
        assertThat(preempted(cluster.pass())).containsExactly("two", "three");
    }

    @Test
    void nobodyIsPreemptedForNothing() {
        Cluster cluster = new Cluster(4, preempting("default"));
        cluster.job("same").priority(1).processes(2).waits();
        cluster.job("low").waits();
        cluster.pass();
        cluster.job("high").priority(1).processes(3).waits();
        assertThat(cluster.pass().preempted()).isEmpty();
    }

    @Test
    void nobodyIsPreemptedWhereRoomComesByItself() {
        Cluster cluster = new Cluster(2, preempting("default"));
        cluster.job("one").waits();
        cluster.job("two").waits();
        cluster.pass();
        cluster.job("high").priority(1).waits();
        assertThat(preempted(cluster.pass())).containsExactly("two");
        for (int pass = 0; pass < 3; pass++) {
            assertThat(cluster.pass().preempted()).isEmpty();
        }
    }

    @Test
    void whatOthersGaveUpIsKeptForWhomTheyGaveItUp() {
        Cluster cluster = new Cluster(2, preempting("default"), Cluster.weighing("other", 1000));
        cluster.job("one").waits();
        cluster.job("two").waits();
        cluster.pass();
        cluster.job("high").priority(1).processes(2).waits();
        cluster.pass();
        cluster.ends("two");
        cluster.job("thief").queue("other").waits();
        assertThat(cluster.pass().admitted()).isEmpty();
        cluster.ends("one");
        assertThat(names(cluster.pass().admitted())).containsExactly("high");
    }

    @Test
    void whoCameBackIsNotPreemptedAgainBeforeItHasRunForAWhile() {
        Cluster cluster = new Cluster(1, preempting("default"));
        cluster.job("low").waits();
        cluster.pass();
        cluster.job("high").priority(1).waits();
        cluster.pass();
        cluster.ends("low");
        cluster.pass();
        cluster.ends("high");
        assertThat(names(cluster.pass().admitted())).containsExactly("low");
        cluster.job("high2").priority(1).waits();
        cluster.after(Duration.ofMinutes(9));
        Outcome early = cluster.pass();
        assertThat(early.preempted()).isEmpty();
        assertThat(early.again()).contains(cluster.now.plus(Duration.ofMinutes(1)));
        cluster.after(Duration.ofMinutes(1));
        assertThat(preempted(cluster.pass())).containsExactly("low");
    }

    @Test
    void twoPrioritiesNeverPreemptEachOtherInACircle() {
        Cluster cluster = new Cluster(2, preempting("default"));
        cluster.job("low").processes(2).waits();
        cluster.pass();
        cluster.job("high").priority(1).processes(2).waits();
        cluster.pass();
        cluster.ends("low");
        assertThat(names(cluster.pass().admitted())).containsExactly("high");
        for (int hour = 0; hour < 48; hour++) {
            cluster.after(Duration.ofHours(1));
            assertThat(cluster.pass().preempted()).isEmpty();
        }
    }

    @Test
    void aQueuePreemptsWithinItsOwnThoughAnotherQueuesJobWaitsAtTheHead() {
        Cluster cluster = new Cluster(4, preempting("one"), Cluster.weighing("two", 1));
        cluster.job("low").queue("one").processes(2).waits();
        cluster.job("other").queue("two").processes(2).waits();
        cluster.pass();
        cluster.job("head").queue("two").processes(2).waits();
        cluster.after(Duration.ofMinutes(1)).pass();
        Instant since = cluster.headSince();
        cluster.job("high").queue("one").priority(1).processes(2).waits();
        assertThat(preempted(cluster.after(Duration.ofMinutes(1)).pass())).containsExactly("low");
        cluster.ends("low");
        assertThat(names(cluster.pass().admitted())).containsExactly("high");
        assertThat(cluster.headOfBackend().orElseThrow().id().value()).isEqualTo("head");
        assertThat(cluster.headSince()).as("with its age").isEqualTo(since);
    }

    @Test
    void roomThatIsKeptForAnotherQueuesJobIsNotTakenByPreemption() {
        Cluster cluster = new Cluster(4, preempting("one"), Cluster.weighing("two", 1));
        cluster.job("low").queue("one").waits();
        cluster.job("other").queue("two").processes(2).waits();
        cluster.pass();
        cluster.job("head").queue("two").processes(2).waits();
        cluster.pass();
        cluster.job("high").queue("one").priority(1).processes(2).waits();
        assertThat(cluster.pass().preempted())
                .as("one is free and kept, one could be had")
                .isEmpty();
    }

    @Test
    void whoWaitsForQuotaPreemptsWithinItToo() {
        Queue both = new Queue("both", Cluster.processes(2), Optional.empty(), true, 1, true, Queue.PREEMPT_AFTER);
        Cluster cluster = new Cluster(9, both);
        cluster.job("low").queue("both").processes(2).waits();
        cluster.pass();
        cluster.job("high").queue("both").priority(1).waits();
        assertThat(preempted(cluster.pass())).containsExactly("low");
        assertThat(cluster.why("high"))
                .isEqualTo("waits for quota of queue both: it asks for 1 process, 0 are left,"
                        + " and others are being stopped to make room for it; it is next in queue both");
    }
}
