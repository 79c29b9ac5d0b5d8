package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RushTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Rush rush = new Rush(nanos::get);
    private final Rush.Patience patience = rush.new Patience();

    @Test
    void nothingWaitsWhereNoPodIsMade() {
        assertThat(patience.waits()).isFalse();
    }

    @Test
    void whatIsCarriedWaitsUntilTheLastPodIsMade() {
        rush.begins();
        assertThat(patience.waits()).isTrue();
        pass(Duration.ofMillis(900));
        rush.begins();
        rush.ends();
        pass(Duration.ofMillis(900));
        assertThat(patience.waits()).isTrue();
        rush.ends();
        assertThat(patience.waits())
                .describedAs("the next pod may come at once")
                .isTrue();
        pass(Duration.ofMillis(250));
        assertThat(patience.waits()).isFalse();
    }

    @Test
    void itWaitsTenSecondsOfARushAtMost() {
        rush.begins();
        assertThat(patience.waits()).isTrue();
        pass(Duration.ofSeconds(9));
        assertThat(patience.waits()).isTrue();
        pass(Duration.ofMillis(1_001));
        assertThat(patience.waits()).isFalse();
        pass(Duration.ofSeconds(60));
        assertThat(patience.waits()).describedAs("once is enough").isFalse();
    }

    @Test
    void theNextRushIsWaitedForAnew() {
        rush.begins();
        assertThat(patience.waits()).isTrue();
        pass(Duration.ofSeconds(11));
        rush.ends();
        pass(Duration.ofSeconds(1));
        assertThat(patience.waits()).isFalse();
        rush.begins();
        assertThat(patience.waits()).isTrue();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
