package dev.muster.server.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MonotoneClockTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private Instant timeOfDay = NOON;
    private long nanos;

    private MonotoneClock clock(Optional<Instant> floor) {
        return new MonotoneClock(() -> timeOfDay, () -> nanos, floor);
    }

    @Test
    void itFollowsTheTimeOfDay() {
        MonotoneClock clock = clock(Optional.empty());
        assertThat(clock.now()).isEqualTo(NOON);
        timeOfDay = NOON.plusSeconds(3600);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(3600));
    }

    @Test
    void itGoesOnAtThePaceOfTimeWhenTheTimeOfDayIsSetBack() {
        MonotoneClock clock = clock(Optional.empty());
        clock.now();
        timeOfDay = NOON.minus(Duration.ofDays(1));
        nanos += Duration.ofSeconds(5).toNanos();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(5));
        nanos += Duration.ofSeconds(5).toNanos();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(10));
    }

    @Test
    void aPauseBetweenItsTwoReadingsPutsItNoLastingLeadAhead() {
        MonotoneClock clock = clock(Optional.empty());
        clock.now();
        timeOfDay = NOON.plusMillis(300); // the pause came after the nanoseconds were read
        clock.now();
        timeOfDay = NOON.plusMillis(310);
        nanos += Duration.ofMillis(310).toNanos();
        assertThat(clock.now()).isEqualTo(timeOfDay);
    }

    @Test
    void aSmallLeadIsGivenBack() {
        MonotoneClock clock = clock(Optional.of(NOON.plusMillis(200)));
        Instant before = clock.now();
        for (int step = 1; step <= 50; step++) {
            timeOfDay = NOON.plusMillis(10L * step);
            nanos += Duration.ofMillis(10).toNanos();
            assertThat(clock.now()).isAfterOrEqualTo(before);
            before = clock.now();
        }
        assertThat(before).isEqualTo(timeOfDay);
    }

    @Test
    void itGoesOnFromTheLatestTimeEverStored() {
        Instant stored = NOON.plusSeconds(100);
        MonotoneClock clock = clock(Optional.of(stored));
        assertThat(clock.now()).isEqualTo(stored);
        nanos += Duration.ofSeconds(1).toNanos();
        assertThat(clock.now()).isEqualTo(stored.plusSeconds(1));
        timeOfDay = NOON.plusSeconds(200);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(200));
    }

    @Test
    void itGoesOnFromWhereAnotherReplicaHasBeen() {
        MonotoneClock clock = clock(Optional.empty());
        clock.now();
        nanos += Duration.ofSeconds(1).toNanos();
        timeOfDay = NOON.plusSeconds(1);
        clock.notBefore(NOON.plusSeconds(60));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(60));
        nanos += Duration.ofSeconds(1).toNanos();
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(61));
        clock.notBefore(NOON);
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(61));
    }

    @Test
    void itCountsMicroseconds() {
        timeOfDay = NOON.plusNanos(1_234_567);
        assertThat(clock(Optional.empty()).now()).isEqualTo(NOON.plusNanos(1_234_000));
    }
}
