package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "abc, abc, 0",
        "abc, '', 3",
        "abc, abd, 1",
        "abc, ab, 1",
        "abc, acb, 1",
        "ca, abc, 3",
        "workers, wrokesr, 2"
    })
    void distanceCountsSwapsOfNeighboursAsOne(String one, String other, int distance) {
        assertThat(Nearest.distance(one, other)).isEqualTo(distance);
        assertThat(Nearest.distance(other, one)).isEqualTo(distance);
    }

    @Test
    void theNearestIsFoundWhenItIsNear() {
        List<String> known = List.of("restart", "resources", "environment");
        assertThat(Nearest.to("restrat", known)).contains("restart");
        assertThat(Nearest.to("RESOURCES", known)).contains("resources");
        assertThat(Nearest.to("enviroment", known)).contains("environment");
        assertThat(Nearest.to("deadline", known)).isEmpty();
        assertThat(Nearest.to("", known)).isEmpty();
        assertThat(Nearest.to("x".repeat(5000), known)).isEmpty();
    }
}
