package dev.muster.artifacts.checkpoints;

import static dev.muster.artifacts.checkpoints.CheckpointFiles.cutInHalf;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.empty;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.flip;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.tensorFlow;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.zip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.CheckpointCatalogue.Choice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutsideCheckpointsTest extends CheckpointTrial {
    @Test
    void byPathACheckpointAFolderOfThemOrAPrefix() throws IOException {
        Path outside = Files.createDirectories(home.resolve("outside"));
        Files.write(outside.resolve("step_5.pt"), zip("5"));
        Files.write(outside.resolve("step_40.pt"), zip("40"));
        cutInHalf(Files.write(outside.resolve("step_50.pt"), zip("50")));
        Files.write(outside.resolve("best.pt"), zip("b"));
        tensorFlow(outside, "ckpt-3", 1, 2);
        empty(outside.resolve("empty"));
        Path pretrained = Files.createDirectories(outside.resolve("pretrained"));
        Files.write(pretrained.resolve("model.bin"), zip("m"));
        Files.write(pretrained.resolve("optimizer.pt"), zip("o"));
        List<Path> before = tree(outside);

        Choice newest = catalogue.choose(outside);
        assertThat(chosen(newest)).isEqualTo("step_40.pt");
        assertThat(newest.warnings()).singleElement().asString().contains("step_50.pt");
        assertThat(newest.checkpoint().orElseThrow().job()).isEqualTo(FolderCheckpointCatalogue.NO_JOB);
        assertThat(chosen(catalogue.choose(outside.resolve("step_5.pt")))).isEqualTo("step_5.pt");
        assertThat(chosen(catalogue.choose(outside.resolve("best.pt")))).isEqualTo("best.pt");
        assertThat(chosen(catalogue.choose(outside.resolve("ckpt-3")))).isEqualTo("ckpt-3");
        assertThat(chosen(catalogue.choose(outside.resolve("ckpt-3.index")))).isEqualTo("ckpt-3");
        assertThat(chosen(catalogue.choose(pretrained))).isEqualTo("pretrained");
        assertThat(chosen(catalogue.choose(outside.resolve("empty")))).isEqualTo("none");
        Choice half = catalogue.choose(outside.resolve("step_50.pt"));
        assertThat(chosen(half)).isEqualTo("none");
        assertThat(half.warnings())
                .singleElement()
                .asString()
                .contains("step_50.pt")
                .contains("cut short");
        assertThat(catalogue.choose(outside.resolve("nothing")).warnings())
                .singleElement()
                .asString()
                .contains("nothing at");
        assertThat(tree(outside)).isEqualTo(before);
    }

    @Test
    void byPathNothingBesideItIsLookedInto() throws IOException {
        Path outside = Files.createDirectories(home.resolve("outside"));
        tensorFlow(outside, "ckpt-3", 1, 2);
        // A walk into it would say so: the whole /proc holds folders that are gone or denied at any time.
        Files.createSymbolicLink(outside.resolve("ckpt-4"), Path.of("/proc"));
        Files.createSymbolicLink(outside.resolve("ckpt-5.data-00000-of-00001"), Path.of("nowhere"));
        assertThat(catalogue.choose(outside.resolve("nothing")).warnings())
                .containsExactly("there is nothing at " + outside.resolve("nothing"));
        assertThat(chosen(catalogue.choose(outside.resolve("ckpt-3")))).isEqualTo("ckpt-3");
        assertThat(catalogue.choose(Path.of("/nosuch")).warnings()).containsExactly("there is nothing at /nosuch");
    }

    @Test
    void byPathWhatIsNoFolderOfCheckpointsIsToldAndNoFault() {
        assertThat(catalogue.choose(Path.of("/")).warnings())
                .singleElement()
                .asString()
                .contains("/ holds more than a folder of checkpoints does");
        Choice odd = catalogue.choose(Path.of("/proc/self"));
        assertThat(odd.checkpoint()).isEmpty();
        assertThat(odd.warnings()).isNotEmpty();
    }

    @Test
    void byPathAFolderWithoutTheMarkerOfThoseBesideItIsNotComplete() throws IOException {
        Path outside = Files.createDirectories(home.resolve("outside"));
        for (String name : List.of("step_1", "step_2")) {
            Files.writeString(Files.createDirectories(outside.resolve(name)).resolve("d"), "x");
        }
        assertThat(chosen(catalogue.choose(outside.resolve("step_2")))).isEqualTo("step_2");
        Files.createFile(outside.resolve("step_1/_COMPLETE"));
        Choice choice = catalogue.choose(outside.resolve("step_2"));
        assertThat(chosen(choice)).isEqualTo("none");
        assertThat(choice.warnings())
                .singleElement()
                .asString()
                .contains("step_2")
                .contains("_COMPLETE");
        assertThat(chosen(catalogue.choose(outside.resolve("step_1")))).isEqualTo("step_1");
    }

    @Test
    void byPathIntoAnotherJobItsRecordsAreUsed() throws IOException {
        save("step_1", "first");
        Path second = save("step_2", "second");
        settle();
        flip(second, 1);
        Choice choice = restarted().choose(folder);
        assertThat(chosen(choice)).isEqualTo("step_1");
        assertThat(choice.checkpoint().orElseThrow().job()).isEqualTo(JOB);
    }
}
