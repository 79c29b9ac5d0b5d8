package dev.muster.server.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RandomIdsTest {
    @Test
    void theNextIdIsTheOneThatIsTaken() {
        RandomIds ids = RandomIds.notAmong(id -> false);
        JobId next = ids.next();
        assertThat(ids.next()).isEqualTo(next);
        assertThat(ids.take()).isEqualTo(next);
        assertThat(ids.next()).isNotEqualTo(next);
    }

    @Test
    void anIdIsALetterAndNineCharacters() {
        RandomIds ids = RandomIds.notAmong(id -> false);
        for (int count = 0; count < 500; count++) {
            assertThat(ids.take().value()).matches("[a-z][a-z2-7]{9}");
        }
    }

    @Test
    void a13_anIdThatWasGivenBeforeARestartIsNotGivenAgain() {
        Set<JobId> given = new HashSet<>();
        // The same seed twice: the second service would give the same ids.
        for (int service = 0; service < 2; service++) {
            RandomIds ids = new RandomIds(new SplittableRandom(7), given::contains);
            for (int count = 0; count < 10; count++) {
                assertThat(given.add(ids.take())).isTrue();
            }
        }
    }

    @Test
    void a13_theNextIdIsChosenAnewWhenItWasGivenMeanwhile() {
        Set<JobId> given = new HashSet<>();
        RandomIds ids = RandomIds.notAmong(given::contains);
        JobId next = ids.next();
        given.add(next);
        assertThat(ids.take()).isNotEqualTo(next);
    }
}
