package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import dev.muster.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityTextTest {
    private static final Capacity MACHINE = new Capacity(64, 2000, 1000, 1);

    @Test
    void everyPartIsRead() {
        CapacityText text = CapacityText.read("cpus=4,memory=8GiB,processes=4,gpus=0", MACHINE);
        assertThat(text.problems()).isEmpty();
        assertThat(text.capacity()).isEqualTo(new Capacity(4, 4000, 8L << 30, 0));
    }

    @Test
    void whatIsNotNamedStaysAsTheMachineHasIt() {
        assertThat(CapacityText.read(" cpus = 0.5 ", MACHINE).capacity()).isEqualTo(new Capacity(64, 500, 1000, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "1024, 1024",
        "8GiB, 8589934592",
        "8Gi, 8589934592",
        "500MB, 500000000",
        "1.5KiB, 1536",
        "2T, 2000000000000",
        "0, 0"
    })
    void sizesAreWrittenAsInJobText(String written, long bytes) {
        CapacityText text = CapacityText.read("memory=" + written, MACHINE);
        assertThat(text.problems()).isEmpty();
        assertThat(text.capacity().memoryBytes()).isEqualTo(bytes);
    }

    @Test
    void everyWrongPartIsNamedAtOnce() {
        CapacityText text = CapacityText.read("cpu=4,memory=8Gx,processes=-1,gpus,gpus=a,cpus=,cpus=1", MACHINE);
        assertThat(text.problems())
                .extracting(Problem::message)
                .satisfiesExactly(
                        message -> assertThat(message).contains("'cpu'"),
                        message -> assertThat(message).contains("memory").contains("'8Gx'"),
                        message -> assertThat(message).contains("processes").contains("'-1'"),
                        message -> assertThat(message).contains("'gpus' is no NAME=VALUE"),
                        message -> assertThat(message).contains("gpus").contains("'a'"),
                        message -> assertThat(message).contains("cpus").contains("''"),
                        message -> assertThat(message).contains("cpus stands there twice"));
        assertThat(text.problems()).allSatisfy(problem -> {
            assertThat(problem.field()).isEqualTo("MUSTER_CAPACITY");
            assertThat(problem.suggestion()).isPresent();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "cpus=4,", "memory=99999999999999999999", "memory=999999999999999TiB", "cpus=1e3", "cpus=-1"
            })
    void oddTextsAreRefused(String text) {
        assertThat(CapacityText.read(text, MACHINE).problems()).hasSize(1);
    }
}
