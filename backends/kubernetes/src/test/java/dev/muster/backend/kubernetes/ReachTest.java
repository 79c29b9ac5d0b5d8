package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.BackendException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReachTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Reach reach = new Reach(nanos::get);
    private final Reach.Way first = on("node-1", "a");
    private final Reach.Way second = on("node-1", "b");
    private final Reach.Way third = on("node-1", "c");
    private final Reach.Way fourth = on("node-1", "d");

    @Test
    void onePodThatIsNeverReachedHoldsUpNoOther() {
        for (int times = 0; times < 10; times++) {
            assertThat(isOpen(first)).isTrue();
            first.failed();
        }
        assertThat(isOpen(second)).isTrue();
    }

    @Test
    void ofANodeWithThreeInARowOneAtATimeIsTried() {
        threeFail();
        assertThat(isOpen(fourth)).isFalse();
        pass(Duration.ofMillis(1_001));
        assertThat(isOpen(fourth)).isTrue();
        assertThat(isOpen(first)).describedAs("the turn is taken").isFalse();
    }

    @Test
    void aTryThatFailsMakesThePauseLongerUpToEightSeconds() {
        threeFail();
        for (int times = 0; times < 6; times++) {
            fourth.failed();
        }
        pass(Duration.ofMillis(7_900));
        assertThat(isOpen(fourth)).isFalse();
        pass(Duration.ofMillis(101));
        assertThat(isOpen(fourth)).isTrue();
    }

    @Test
    void oneThatIsReachedOpensTheNode() {
        threeFail();
        second.worked();
        assertThat(isOpen(fourth)).isTrue();
        assertThat(isOpen(first)).isTrue();
        first.failed();
        assertThat(isOpen(fourth)).describedAs("it counts anew").isTrue();
    }

    @Test
    void otherNodesAreNotJudged() {
        threeFail();
        assertThat(isOpen(on("node-2", "e"))).isTrue();
        assertThat(isOpen(reach.into("f", Optional::empty)))
                .describedAs("without a node")
                .isTrue();
    }

    @Test
    void whoWaitsSaysForWhat() {
        threeFail();
        assertThat(refusal(fourth))
                .hasValue(
                        "the API server does not reach the containers of node node-1, so pod d waits until one of its pods is reached "
                                + "(look at its kubelet, and at the way to it)");
    }

    private void threeFail() {
        first.failed();
        second.failed();
        third.failed();
    }

    private Reach.Way on(String node, String pod) {
        return reach.into(pod, () -> Optional.of(node));
    }

    private static boolean isOpen(Reach.Way way) {
        return refusal(way).isEmpty();
    }

    private static Optional<String> refusal(Reach.Way way) {
        try {
            way.check();
            return Optional.empty();
        } catch (BackendException waits) {
            return Optional.of(waits.getMessage());
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
