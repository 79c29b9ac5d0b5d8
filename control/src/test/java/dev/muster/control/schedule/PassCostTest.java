package dev.muster.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import org.junit.jupiter.api.Test;

/** A pass reads only as far as it needs, however many wait. */
final class PassCostTest {
    private static final int WAITING = 10_000;
    private static final int USERS = 20;
    private static final int SHAPES = 5;

    @Test
    void aPassLooksAtOneOfEachShapeOfEachUserAndAtWhomItAdmits() {
        Cluster cluster = new Cluster(new Capacity(64, 16_000, 0, 0));
        for (int job = 0; job < WAITING; job++) {
            cluster.job("j" + job)
                    .user("user" + job % USERS)
                    .demand(new Capacity(1 + job % SHAPES, 1000, 0, 0))
                    .waits();
        }
        Scheduler.Plan first = cluster.plan();
        assertThat(first.looked())
                .isLessThanOrEqualTo(first.outcome().admitted().size() + USERS * SHAPES);
        cluster.pass();
        assertThat(cluster.plan().looked()).as("when all is full").isLessThanOrEqualTo(USERS * SHAPES);
        cluster.ends(cluster.holding.keySet().iterator().next().value());
        assertThat(cluster.plan().looked()).as("when one has ended").isLessThanOrEqualTo(USERS * SHAPES + 16);
    }
}
