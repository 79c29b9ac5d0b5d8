package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace();

    private void at(long second, long step) {
        pace.step(Instant.ofEpochSecond(second), step);
    }

    private OptionalDouble left(long total) {
        return pace.secondsTo(OptionalLong.of(total));
    }

    @Test
    void theRestTakesAsLongAsThePaceSays() {
        assertThat(left(100)).isEmpty();
        at(0, 10);
        assertThat(left(100)).isEmpty();
        at(10, 30);
        assertThat(left(100)).isEqualTo(OptionalDouble.of(35));
        assertThat(pace.secondsTo(OptionalLong.empty())).isEmpty();
        assertThat(left(30)).isEqualTo(OptionalDouble.of(0));
        assertThat(left(7)).isEqualTo(OptionalDouble.of(0));
    }

    @Test
    void onlyTheLastMinutesCount() {
        for (int i = 0; i < 1000; i++) {
            at(2 * i, i);
        }
        for (int i = 0; i < 200; i++) {
            at(2000 + 2 * i, 1000 + 10 * i);
        }
        assertThat(left(2990 + 500).orElseThrow()).isBetween(99.0, 101.0);
    }

    @Test
    void aStepBackBeginsAnew() {
        at(0, 0);
        at(10, 1000);
        at(20, 500);
        assertThat(left(1000)).isEmpty();
        at(30, 510);
        assertThat(left(520)).isEqualTo(OptionalDouble.of(10));
    }
}
