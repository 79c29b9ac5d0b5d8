package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    @Test
    void noGpusAskedAndNoWordOfGpusAreTwoThings() {
        assertThat(Resources.NONE.gpusAsked()).isEmpty();
        assertThat(Resources.NONE.gpus()).isZero();
        Resources zero = new Resources(OptionalInt.empty(), OptionalLong.empty(), 0);
        assertThat(zero.gpusAsked()).hasValue(0);
        assertThat(zero).isNotEqualTo(Resources.NONE);
    }

    @Test
    void eachRankHasAnEqualPartOfItsWorkersCpusAndMemoryAndSeesAllItsGpus() {
        Resources worker = new Resources(OptionalInt.of(3000), OptionalLong.of(8L << 30), 4);
        assertThat(worker.part(4)).isEqualTo(new Resources(OptionalInt.of(750), OptionalLong.of(2L << 30), 4));
        assertThat(new Resources(OptionalInt.of(1), OptionalLong.of(1), 1).part(4))
                .isEqualTo(new Resources(OptionalInt.of(1), OptionalLong.of(1), 1));
        assertThat(Resources.NONE.part(4)).isEqualTo(Resources.NONE);
    }
}
