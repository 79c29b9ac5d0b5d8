package dev.muster.control.schedule;

import static dev.muster.control.schedule.Cluster.names;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who goes first. */
final class OrderTest {
    @Test
    void a28_firstComeFirstServedWithinAPriority() {
        Cluster cluster = new Cluster(4);
        cluster.job("first").waits();
        cluster.job("second").waits();
        cluster.job("urgent").priority(5).waits();
        cluster.job("low").priority(-1).waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("urgent", "first", "second", "low");
    }

    @Test
    void a28_twoUsersShareEvenlyOverFiftyJobsThoughOneWasFirst() {
        Cluster cluster = new Cluster(4);
        for (int job = 0; job < 25; job++) {
            cluster.job("ann" + job).user("ann").waits();
        }
        for (int job = 0; job < 25; job++) {
            cluster.job("bob" + job).user("bob").waits();
        }
        int ann = 0;
        int bob = 0;
        for (int round = 0; !cluster.waiting.isEmpty() || !cluster.holding.isEmpty(); round++) {
            for (JobId id : cluster.pass().admitted()) {
                if (id.value().startsWith("ann")) {
                    ann++;
                } else {
                    bob++;
                }
                assertThat(Math.abs(ann - bob)).as("after %d", ann + bob).isLessThanOrEqualTo(4);
            }
            assertThat(cluster.held().processes()).isEqualTo(Math.min(4, 50 - (ann + bob) + cluster.holding.size()));
            cluster.after(Duration.ofSeconds(10));
            cluster.ends(cluster.holding.keySet().iterator().next().value());
        }
        assertThat(ann).isEqualTo(25);
        assertThat(bob).isEqualTo(25);
    }

    @Test
    void whoHoldsMoreOfWhateverIsScarcestWaitsLonger() {
        Cluster cluster = new Cluster(new Capacity(100, 8000, 0, 2));
        cluster.job("gpu").user("ann").demand(new Capacity(1, 1000, 0, 1)).waits();
        cluster.job("cpu").user("bob").demand(new Capacity(3, 3000, 0, 0)).waits();
        cluster.pass();
        cluster.job("ann").user("ann").demand(new Capacity(1, 3000, 0, 0)).waits();
        cluster.job("bob").user("bob").demand(new Capacity(1, 3000, 0, 0)).waits();
        assertThat(names(cluster.pass().admitted()))
                .as("ann holds half of the gpus, bob three eighths of the cpus")
                .containsExactly("bob");
    }

    @Test
    void whoHasUsedMoreInThePastGoesSecondAndIsForgivenInTime() {
        Cluster cluster = new Cluster(2);
        cluster.job("long").user("ann").waits();
        cluster.job("block").user("cid").waits();
        cluster.pass();
        cluster.after(Duration.ofHours(12)).pass();
        cluster.ends("long");
        cluster.job("ann").user("ann").waits();
        cluster.job("bob").user("bob").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("bob");
        cluster.ends("bob").ends("block");
        cluster.cancels("ann");
        cluster.after(Duration.ofDays(30)).pass();
        cluster.job("annagain").user("ann").waits();
        cluster.job("bobagain").user("bob").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("annagain", "bobagain");
    }

    @Test
    void queuesShareByWeight() {
        Cluster cluster = new Cluster(8, Cluster.weighing("heavy", 3), Cluster.weighing("light", 1));
        for (int job = 0; job < 10; job++) {
            cluster.job("light" + job).queue("light").waits();
            cluster.job("heavy" + job).queue("heavy").waits();
        }
        cluster.pass();
        assertThat(cluster.heldBy("heavy").processes()).isEqualTo(6);
        assertThat(cluster.heldBy("light").processes()).isEqualTo(2);
    }

    @Test
    void priorityOrdersJobsOfOneQueueNotOfTwo() {
        Cluster cluster = new Cluster(2, Cluster.weighing("one", 1), Cluster.weighing("two", 1));
        cluster.job("plain").queue("one").waits();
        cluster.job("urgent1").queue("two").priority(9).waits();
        cluster.job("urgent2").queue("two").priority(9).waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("plain", "urgent1");
    }

    @Test
    void aJobThatCanNeverFitDoesNotBlockTheQueue() {
        Cluster cluster = new Cluster(4);
        cluster.job("never").processes(9).waits();
        cluster.job("next").waits();
        Outcome outcome = cluster.pass();
        assertThat(names(outcome.never())).containsExactly("never");
        assertThat(names(outcome.admitted())).containsExactly("next");
    }

    @Test
    void whatIsNotAskedForIsNotLackedThoughTooMuchOfItIsHeld() {
        Cluster cluster = new Cluster(new Capacity(4, 1000, 0, 0));
        cluster.job("greedy").demand(new Capacity(1, 1000, 0, 0)).waits();
        cluster.pass();
        cluster.job("modest").waits();
        assertThat(names(cluster.pass().admitted())).containsExactly("modest");
    }
}
