package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class QueuesTest {
    private static final Capacity NO_BOUND = new Capacity(1000, 1000, 1000, 1000);

    private static Quota gpus(int count) {
        return new Quota(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(count));
    }

    private static Queue queue(Quota quota, Optional<Quota> borrow) {
        return new Queue("research", quota, borrow, true, 1, false, Duration.ZERO);
    }

    @Test
    void defaultIsAlwaysThereAndMayBeConfigured() {
        assertThat(Queues.STANDARD.byName()).containsOnlyKeys("default");
        Queue limited = new Queue("default", gpus(1), Optional.empty(), true, 2, false, Duration.ZERO);
        assertThat(Queues.of(List.of(limited)).get("default")).isEqualTo(limited);
    }

    @Test
    void anUnknownQueueIsAnsweredWithTheNearestAndWithAll() {
        Queues queues = Queues.of(List.of(Queue.named("research"), Queue.named("batch")));
        assertThat(queues.unknown("research")).isEmpty();
        Problem problem = queues.unknown("reserch").orElseThrow();
        assertThat(problem.field()).isEqualTo("queue");
        assertThat(problem.message()).contains("no queue reserch").contains("batch, default, research");
        assertThat(problem.suggestion()).contains("did you mean research?");
        assertThat(queues.unknown("zzzzzz").orElseThrow().suggestion()).isEmpty();
    }

    @Test
    void aJobOfAQueueThatIsNoLongerConfiguredIsNotLost() {
        assertThat(Queues.STANDARD.get("gone")).isEqualTo(Queue.named("gone"));
    }

    @Test
    void theMostIsTheQuotaAndWhatMayBeBorrowed() {
        assertThat(queue(gpus(2), Optional.empty()).most(NO_BOUND)).isEqualTo(new Capacity(1000, 1000, 1000, 2));
        assertThat(queue(gpus(2), Optional.of(gpus(3))).most(NO_BOUND)).isEqualTo(new Capacity(1000, 1000, 1000, 5));
        assertThat(queue(gpus(2), Optional.of(Quota.NONE)).most(NO_BOUND)).isEqualTo(NO_BOUND);
        assertThat(Queue.named("free").most(NO_BOUND)).isEqualTo(NO_BOUND);
    }

    @Test
    void onlyWhatHasAQuotaCanBeBorrowed() {
        Quota cpus = new Quota(OptionalInt.empty(), OptionalLong.of(1000), OptionalLong.empty(), OptionalInt.empty());
        assertThat(Queues.check("queues.research", queue(gpus(2), Optional.of(gpus(1)))))
                .isEmpty();
        assertThat(Queues.check("queues.research", queue(gpus(2), Optional.of(cpus))))
                .extracting(Problem::field)
                .containsExactly("queues.research.borrow.cpus");
        assertThat(Queues.check("queues.research", queue(Quota.NONE, Optional.of(Quota.NONE))))
                .extracting(Problem::field)
                .containsExactly("queues.research.borrow");
    }

    @Test
    void aQuotaBoundsOnlyWhatItNames() {
        assertThat(gpus(2).allows(new Capacity(99, 99, 99, 2))).isTrue();
        assertThat(gpus(2).allows(new Capacity(0, 0, 0, 3))).isFalse();
        assertThat(Quota.NONE.allows(NO_BOUND)).isTrue();
    }

    @Test
    void badSettingsAreNoQueue() {
        assertThatIllegalArgumentException().isThrownBy(() -> Queue.named("Big Queue"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Queue("a", Quota.NONE, Optional.empty(), true, 0, false, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Queue("a", Quota.NONE, Optional.empty(), true, 1, false, Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> gpus(-1));
    }
}
