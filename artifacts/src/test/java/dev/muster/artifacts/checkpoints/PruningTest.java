package dev.muster.artifacts.checkpoints;

import static dev.muster.artifacts.checkpoints.CheckpointFiles.cutInHalf;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.flip;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.tensorFlow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Checkpoint;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PruningTest extends CheckpointTrial {
    @Test
    void pruningKeepsWhatTensorFlowsCheckpointFileNames() throws IOException {
        for (int step = 1; step <= 5; step++) {
            tensorFlow(folder, "ckpt-" + step, 1, 2);
        }
        Files.writeString(
                folder.resolve("checkpoint"),
                "model_checkpoint_path: \"ckpt-2\"\nall_model_checkpoint_paths: \"/elsewhere/ckpt-1\"\nall_model_checkpoint_paths: \"ckpt-2\"\n");
        settle();
        catalogue.prune(JOB, 1, false);
        assertThat(listed()).containsExactly("ckpt-5", "ckpt-2", "ckpt-1");
        assertThat(onDisk()).contains("checkpoint", "ckpt-2.index").noneMatch(name -> name.startsWith("ckpt-3"));
    }

    @Test
    void pruningTakesOldHalvesButNothingNewerThanTheNewestWholeOne() throws IOException {
        cutInHalf(save("step_100.pt", "half, old"));
        save("step_150.pt.tmp", "tmp, old");
        save("step_200.pt", "whole");
        cutInHalf(save("step_300.pt", "half, new"));
        cutInHalf(save("best_50.pt", "best, and half"));
        catalogue.list(JOB);
        wait(Duration.ofSeconds(3));
        cutInHalf(save("step_120.pt", "half, and being written"));
        catalogue.prune(JOB, 1, false);
        assertThat(onDisk()).containsExactly("best_50.pt", "step_120.pt", "step_200.pt", "step_300.pt");
    }

    @Test
    void pruningWithNothingWholeRemovesNothing() throws IOException {
        cutInHalf(save("step_100.pt", "half"));
        cutInHalf(save("step_200.pt", "half"));
        settle();
        catalogue.prune(JOB, 1, false);
        assertThat(onDisk()).containsExactly("step_100.pt", "step_200.pt");
    }

    @Test
    void pruningDoesNotCountWhatWasDamaged() throws IOException {
        save("step_1", "first");
        Path second = save("step_2", "second");
        settle();
        flip(second, 2);
        settle();
        catalogue.prune(JOB, 1, false);
        assertThat(onDisk()).contains("step_1");
    }

    @Test
    void whatWasSavedAtTheVeryEndCountsOnceNobodyCanWriteAnyMore() throws IOException {
        save("step_1.pt", "first");
        save("step_2.pt", "second");
        settle();
        save("step_3.pt", "saved as the last thing");
        cutInHalf(save("step_4.pt", "half"));
        catalogue.prune(JOB, 2, false);
        assertThat(onDisk()).as("while it may still be written").contains("step_1.pt");
        catalogue.prune(JOB, 2, true);
        assertThat(onDisk()).containsExactly("step_2.pt", "step_3.pt", "step_4.pt");
    }

    @Test
    void pruningRemovesFoldersWhole() throws IOException {
        for (int step = 1; step <= 3; step++) {
            Path each = Files.createDirectories(folder.resolve("step_" + step + "/deep"));
            Files.writeString(each.resolve("w.pt"), "x");
        }
        Files.createDirectories(folder.resolve(".muster-removing-step_0/deep"));
        settle();
        catalogue.prune(JOB, 2, false);
        assertThat(onDisk()).containsExactly("step_2", "step_3");
    }

    @Test
    void twoThatPruneAtOnceDoNotDisturbEachOther() throws Exception {
        for (int step = 1; step <= 40; step++) {
            Path checkpoint = Files.createDirectories(folder.resolve("checkpoint-" + step));
            Files.writeString(checkpoint.resolve("_COMPLETE"), "");
            Files.writeString(checkpoint.resolve("weights"), "w" + step);
        }
        settle();
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> catalogue.prune(JOB, 1, false)));
            }
            for (Future<?> one : all) {
                one.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(onDisk()).containsExactly("checkpoint-40");
    }

    @Test
    void nothingIsRememberedOfAForgottenJob() throws Exception {
        save("step-1.pt", "one");
        settle();
        assertThat(whole()).containsExactly("step-1.pt");
        catalogue.forget(JOB);
        Files.delete(new JobFolders(home).job(JOB).resolve("checkpoints.json"));
        assertThat(catalogue.list(JOB)).extracting(Checkpoint::digest).containsExactly(Optional.empty());
    }
}
