package dev.muster.control.schedule;

import static dev.muster.control.schedule.Cluster.names;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Gangs whole or not at all, room kept for the first that does not fit, and who may pass it. */
final class BackfillTest {
    @Test
    void a22_aGangStartsWholeOrNotAtAll() {
        Cluster cluster = new Cluster(4);
        cluster.job("two").processes(2).waits();
        cluster.pass();
        cluster.job("gang").processes(3).waits();
        assertThat(cluster.pass().admitted()).isEmpty();
        cluster.ends("two");
        assertThat(names(cluster.pass().admitted())).containsExactly("gang");
    }

    @Test
    void a22_b13_twoGangsThatFitOnlyAloneRunOneAfterTheOtherHoldingNothingMeanwhile() {
        Cluster cluster = new Cluster(4);
        cluster.job("first").processes(3).waits();
        cluster.job("second").processes(3).waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("first");
        assertThat(cluster.held().processes()).isEqualTo(3);
        cluster.ends("first");
        assertThat(names(cluster.pass().admitted())).containsExactly("second");
    }

    @Test
    void a29_smallJobsUseWhatTheLargeOneLeaves() {
        Cluster cluster = new Cluster(8);
        cluster.job("running").processes(4).waits();
        cluster.pass();
        cluster.job("large").processes(6).waits();
        for (int job = 0; job < 5; job++) {
            cluster.job("small" + job).waits();
        }
        assertThat(names(cluster.pass().admitted()))
                .as("two of eight are left beside six")
                .containsExactly("small0", "small1");
        cluster.ends("small0");
        assertThat(names(cluster.pass().admitted())).containsExactly("small2");
        cluster.ends("running");
        assertThat(names(cluster.pass().admitted()))
                .as("it starts when those have ended that ran before it, whoever passed it")
                .containsExactly("large");
    }

    @Test
    void a29_aSmallJobDoesNotPassOneThatNeedsEverything() {
        Cluster cluster = new Cluster(4);
        cluster.job("running").waits();
        cluster.pass();
        cluster.job("large").processes(4).waits();
        cluster.job("small").waits();
        assertThat(cluster.pass().admitted()).isEmpty();
    }

    @Test
    void a29_whatStartedBeforeOrWithTheReservationIsNoPassing() {
        Cluster cluster = new Cluster(8);
        cluster.job("running").processes(4).waits();
        cluster.job("large").processes(6).waits();
        cluster.job("small").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("running", "small");
        cluster.job("another").waits();
        cluster.job("third").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("another");
    }

    @Test
    void a29_aJobThatIsOverInTimeByItsDeadlineMayPass() {
        Cluster cluster = new Cluster(4);
        cluster.job("running").processes(2).endsWithin(Duration.ofMinutes(30)).waits();
        cluster.pass();
        cluster.job("large").processes(4).waits();
        cluster.job("toolong").endsWithin(Duration.ofMinutes(31)).waits();
        cluster.job("short").endsWithin(Duration.ofMinutes(30)).waits();
        cluster.job("unknown").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("short");
    }

    @Test
    void a29_aLargeGangIsNotStarvedByNewUsersWhoAllGoBeforeIt() {
        Cluster cluster = new Cluster(4);
        cluster.job("past").user("zoe").waits();
        cluster.pass();
        cluster.after(Duration.ofHours(5)).pass();
        cluster.ends("past");
        for (int job = 0; job < 4; job++) {
            cluster.job("first" + job).user("first" + job).waits();
        }
        cluster.pass();
        cluster.job("large").user("zoe").processes(4).waits();
        cluster.pass();
        int minutes = 0;
        for (; !cluster.holding.containsKey(new JobId("large")); minutes++) {
            assertThat(minutes).isLessThan(16);
            cluster.job("new" + minutes).user("new" + minutes).waits();
            cluster.after(Duration.ofMinutes(1));
            if (!cluster.holding.isEmpty()) {
                cluster.ends(cluster.holding.keySet().iterator().next().value());
            }
            cluster.pass();
        }
        assertThat(minutes).as("it was passed for ten minutes and not longer").isBetween(11, 15);
    }

    @Test
    void whoHasWaitedAtTheHeadLongEnoughGoesFirstButNotBeforeAHigherPriority() {
        Cluster cluster = new Cluster(4);
        cluster.job("running").processes(2).waits();
        cluster.pass();
        cluster.job("large").processes(4).waits();
        Outcome outcome = cluster.pass();
        assertThat(outcome.again()).contains(Cluster.START.plus(Duration.ofMinutes(10)));
        cluster.after(Duration.ofMinutes(10));
        cluster.job("urgent").priority(1).waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("urgent");
        assertThat(cluster.headOfBackend().orElseThrow().id()).isEqualTo(new JobId("large"));
    }

    @Test
    void roomIsNoLongerKeptForWhoWasCancelled() {
        Cluster cluster = new Cluster(4);
        cluster.job("running").processes(2).waits();
        cluster.pass();
        cluster.job("large").processes(4).waits();
        cluster.job("small").waits();
        assertThat(cluster.pass().admitted()).isEmpty();
        cluster.cancels("large");
        assertThat(names(cluster.pass().admitted())).containsExactly("small");
    }

    @Test
    void aHigherPriorityThatDoesNotFitTakesTheReservationOver() {
        Cluster cluster = new Cluster(4);
        cluster.job("running").processes(2).waits();
        cluster.pass();
        cluster.job("large").processes(3).waits();
        cluster.pass();
        cluster.job("urgent").processes(4).priority(1).waits();
        cluster.pass();
        assertThat(cluster.headOfBackend().orElseThrow().id()).isEqualTo(new JobId("urgent"));
    }
}
