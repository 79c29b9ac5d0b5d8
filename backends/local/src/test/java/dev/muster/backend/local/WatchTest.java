package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchTest {
    @Test
    void whoJoinsInTheFirstSecondsIsSeenWithinATenthOfASecond() {
        for (int millis = 0; millis <= 10_000; millis += 10) {
            assertThat(Watch.pauseOfJoining(Duration.ofMillis(millis))).isLessThanOrEqualTo(Duration.ofMillis(100));
        }
        assertThat(Watch.pauseOfJoining(Duration.ZERO)).isEqualTo(Duration.ofMillis(75));
    }

    @Test
    void whoTakesLongIsLookedForLessAndLessOftenButEachSecondForEver() {
        assertThat(Watch.pauseOfJoining(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(300));
        assertThat(Watch.pauseOfJoining(Duration.ofMinutes(2))).isEqualTo(Duration.ofSeconds(1));
        assertThat(Watch.pauseOfJoining(Duration.ofDays(2))).isEqualTo(Duration.ofSeconds(1));
        long looks = 0;
        for (Duration at = Duration.ZERO; at.toMinutes() < 10; at = at.plus(Watch.pauseOfJoining(at))) {
            looks++;
        }
        assertThat(looks).as("looks in ten minutes").isLessThan(1000);
    }
}
