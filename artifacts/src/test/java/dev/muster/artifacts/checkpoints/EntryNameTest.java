package dev.muster.artifacts.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryNameTest {
    @ParameterizedTest
    @CsvSource({
        "step_9000, 9000",
        "step_10000, 10000",
        "ckpt-42, 42",
        "model.ckpt-1000, 1000",
        "checkpoint-500, 500",
        "epoch=3-step=1200.ckpt, 1200",
        "epoch=02-val_loss=0.32.ckpt, 2",
        "model_10.h5, 10",
        "model_10.weights.h5, 10",
        "weights.0007.pt, 7",
        "state_12.tar.gz, 12",
        "step_10.fp16.safetensors, 10",
        "1000, 1000",
        "step.30, 30",
        "v2-step-8.pth, 8",
        "global_step100, 100"
    })
    void theStepIsTheLastIntegerInTheName(String name, long step) {
        assertThat(EntryName.step(name)).hasValue(step);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "best",
                "best.pt",
                "best_120.pt",
                "tmp",
                "tmp_500",
                "step_500.tmp",
                "step_500.pt.tmp",
                "step_500~",
                "step_500.part",
                "step_500.partial",
                "workertemp_1",
                "worker_tmp_1",
                "tmp-checkpoint-500",
                "ckpt-7_temp",
                "1000.orbax-checkpoint-tmp-17",
                "last.pt",
                "final",
                "model.h5",
                "step_99999999999999999999"
            })
    void namesOfTheBestAndOfTheUnfinishedHaveNoStep(String name) {
        assertThat(EntryName.step(name)).isEmpty();
    }

    @Test
    void unfinishedIsToldByWordAndEnding() {
        assertThat(EntryName.isUnfinished("step_500.pt.tmp")).isTrue();
        assertThat(EntryName.isUnfinished("ckpt-1.data-00000-of-00001.tempstate123"))
                .isTrue();
        assertThat(EntryName.isUnfinished("attempt_5")).isFalse();
        assertThat(EntryName.isUnfinished("template-5")).isFalse();
        assertThat(EntryName.isUnfinished("best")).isFalse();
    }
}
