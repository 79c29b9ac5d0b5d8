package dev.muster.control.schedule;

import static dev.muster.control.schedule.Cluster.borrowing;
import static dev.muster.control.schedule.Cluster.names;
import static dev.muster.control.schedule.Cluster.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.Queue;
import dev.muster.model.Quota;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a queue may hold, borrow and claim back. */
final class QuotaTest {
    private static String preempted(Outcome outcome) {
        return String.join(
                " ",
                names(outcome.preempted().stream()
                        .map(Outcome.Preemption::victim)
                        .toList()));
    }

    @Test
    void a29_whoExceedsTheQuotaWaitsWithAReasonAndStartsWhenItIsFreed() {
        Cluster cluster = new Cluster(8, queue("research", 3));
        cluster.job("two").queue("research").processes(2).waits();
        cluster.job("more").queue("research").processes(2).waits();
        cluster.job("other").waits();
        assertThat(names(cluster.pass().admitted())).containsExactlyInAnyOrder("two", "other");
        assertThat(cluster.why("more"))
                .isEqualTo("waits for quota of queue research: it asks for 2 processes, 1 is left;"
                        + " it is next in queue research");
        cluster.ends("two");
        assertThat(names(cluster.pass().admitted())).containsExactly("more");
    }

    @Test
    void a29_aLargeGangIsNotStarvedOfItsQuotaBySmallOnes() {
        Cluster cluster = new Cluster(100, queue("research", 4));
        cluster.job("running").queue("research").waits();
        cluster.pass();
        cluster.job("large").queue("research").processes(4).waits();
        cluster.job("small").queue("research").waits();
        assertThat(cluster.pass().admitted()).isEmpty();
        cluster.ends("running");
        assertThat(names(cluster.pass().admitted())).containsExactly("large");
    }

    @Test
    void aQueueBorrowsWhatOthersLeaveIdleUpToItsBoundAndNoMore() {
        Cluster cluster = new Cluster(20, borrowing("poor", 2, 3), queue("rich", 8), queue("strict", 2));
        for (int job = 0; job < 9; job++) {
            cluster.job("poor" + job).queue("poor").waits();
            cluster.job("strict" + job).queue("strict").waits();
        }
        cluster.pass();
        assertThat(cluster.heldBy("poor").processes()).isEqualTo(5);
        assertThat(cluster.heldBy("strict").processes()).isEqualTo(2);
        assertThat(new QueueViews(cluster.situation())
                        .all().stream()
                                .filter(view -> view.queue().name().equals("poor"))
                                .findFirst()
                                .orElseThrow()
                                .borrowed())
                .isEqualTo(new Capacity(3, 0, 0, 0));
    }

    @Test
    void onlyWhatIsIdleOfOthersCanBeBorrowed() {
        Cluster cluster = new Cluster(20, borrowing("poor", 2, 9), queue("rich", 4));
        cluster.job("rich").queue("rich").processes(3).waits();
        for (int job = 0; job < 9; job++) {
            cluster.job("poor" + job).queue("poor").waits();
        }
        cluster.pass();
        assertThat(cluster.heldBy("poor").processes()).isEqualTo(3);
    }

    @Test
    void theOwnerClaimsBackWhatWasLentAndNotMore() {
        Cluster cluster = new Cluster(8, borrowing("poor", 2, 6), queue("rich", 6));
        for (int job = 0; job < 8; job++) {
            cluster.job("poor" + job).queue("poor").waits();
        }
        cluster.pass();
        assertThat(cluster.heldBy("poor").processes()).isEqualTo(8);
        cluster.job("own").queue("rich").processes(3).waits();
        Outcome outcome = cluster.pass();
        assertThat(preempted(outcome)).isEqualTo("poor7 poor6 poor5");
        assertThat(outcome.preempted().getFirst().reason())
                .isEqualTo("made room for job own, as queue rich claims back what queue poor had borrowed");
        assertThat(cluster.pass().preempted()).as("once").isEmpty();
        cluster.ends("poor7").ends("poor6");
        assertThat(cluster.pass().admitted()).as("what is claimed back is kept").isEmpty();
        cluster.ends("poor5");
        assertThat(names(cluster.pass().admitted())).containsExactly("own");
        cluster.job("toomuch").queue("rich").processes(4).waits();
        assertThat(cluster.pass().preempted()).as("beyond its quota").isEmpty();
    }

    @Test
    void aQueueWithoutQuotaGivesBackToOneThatHasOne() {
        Cluster cluster = new Cluster(4, queue("rich", 2));
        cluster.job("all").processes(4).waits();
        cluster.pass();
        cluster.job("own").queue("rich").waits();
        assertThat(preempted(cluster.pass())).isEqualTo("all");
        cluster.ends("all");
        assertThat(names(cluster.pass().admitted())).containsExactly("own");
        assertThat(cluster.pass().preempted())
                .as("it does not claim anything back in turn")
                .isEmpty();
    }

    @Test
    void nothingIsClaimedBackWhereTheQueueDoesNotWantIt() {
        Queue patient = new Queue("rich", Cluster.processes(2), Optional.empty(), false, 1, false, Queue.PREEMPT_AFTER);
        Cluster cluster = new Cluster(4, patient);
        cluster.job("all").processes(4).waits();
        cluster.pass();
        cluster.job("own").queue("rich").waits();
        assertThat(cluster.pass().preempted()).isEmpty();
    }

    @Test
    void whatTheQuotaDoesNotNameIsNotClaimedBack() {
        Queue gpus = new Queue(
                "gpus",
                new Quota(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(2)),
                Optional.empty(),
                true,
                1,
                false,
                Queue.PREEMPT_AFTER);
        Cluster cluster = new Cluster(new Capacity(9, 4000, 0, 2), gpus);
        cluster.job("cpus").demand(new Capacity(1, 4000, 0, 0)).waits();
        cluster.pass();
        cluster.job("own").queue("gpus").demand(new Capacity(1, 1000, 0, 1)).waits();
        assertThat(cluster.pass().preempted()).isEmpty();
        assertThat(cluster.why("own")).startsWith("waits for 1 cpu, 0 are free");
    }

    @Test
    void whoAsksForTheQueuesOwnGoesBeforeWhoWouldBorrow() {
        Cluster cluster = new Cluster(4, borrowing("poor", 1, 9), queue("rich", 3));
        cluster.job("poor0").queue("poor").waits();
        cluster.pass();
        cluster.job("poor1").queue("poor").processes(2).waits();
        cluster.job("own").queue("rich").processes(3).waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("own");
    }

    @Test
    void aJobOfAQueueThatIsGoneFromTheConfigurationStillRuns() {
        Cluster cluster = new Cluster(4);
        cluster.job("left").queue("gone").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("left");
    }

    @Test
    void aJobLargerThanItsQueueEverMayHoldWaitsAndSaysSo() {
        Cluster cluster = new Cluster(8, queue("research", 3));
        cluster.job("large").queue("research").processes(4).waits();
        assertThat(cluster.pass().admitted()).isEmpty();
        assertThat(cluster.holding).doesNotContainKey(new JobId("large"));
        assertThat(cluster.why("large"))
                .startsWith("asks for more than queue research may ever hold: 4 processes of at most 3");
    }
}
