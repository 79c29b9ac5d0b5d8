package dev.muster.artifacts.checkpoints;

import static dev.muster.artifacts.checkpoints.CheckpointFiles.cutInHalf;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.empty;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.flip;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.tensorFlow;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.zip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.formats.files.Folders;
import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FolderCheckpointCatalogueTest extends CheckpointTrial {
    @Test
    void b62_theHighestStepIsTheNewest() throws IOException {
        for (String name : List.of("step_9000", "best", "step_10000", "tmp")) {
            save(name, "content of " + name);
        }
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_10000");
        assertThat(listed().getFirst()).isEqualTo("step_10000");
        assertThat(catalogue.list(JOB).getFirst().step()).isEqualTo(OptionalLong.of(10000));
        Checkpoint best = catalogue.list(JOB).stream()
                .filter(each -> each.name().equals("best"))
                .findFirst()
                .orElseThrow();
        assertThat(best.step()).isEmpty();
    }

    @Test
    void whatNobodyWritesAnyMoreIsWholeAtOnce() throws IOException {
        save("step_1.pt", "content");
        assertThat(catalogue.list(JOB, false)).extracting(Checkpoint::whole).containsExactly(false);
        assertThat(catalogue.list(JOB, true)).extracting(Checkpoint::whole).containsExactly(true);

        Path cut = save("step_2.pt", "content");
        Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 40));
        assertThat(catalogue.list(JOB, true)).extracting(Checkpoint::whole).containsExactly(false, true);
    }

    @Test
    void b62_keepingNeverLeavesNone() throws IOException {
        for (int keep : List.of(-1, 0, 1, 2, 10)) {
            Folders.delete(folder.getParent());
            open();
            for (String name : List.of("step_8000", "step_9000", "step_10000", "best", "tmp")) {
                save(name, "content");
            }
            settle();
            catalogue.prune(JOB, keep, false);
            List<String> expected = new ArrayList<>(List.of("best", "step_10000", "tmp"));
            if (keep >= 2) {
                expected.add("step_9000");
            }
            if (keep >= 3) {
                expected.add("step_8000");
            }
            assertThat(onDisk()).as("keep " + keep).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void wholeOnlyAfterTwoSecondsWithoutChange() throws IOException {
        Path file = save("step_1", "a");
        assertThat(whole()).isEmpty();
        wait(Duration.ofMillis(1900));
        assertThat(whole()).isEmpty();
        Files.writeString(file, "more");
        wait(Duration.ofMillis(1900));
        assertThat(whole()).isEmpty();
        wait(Duration.ofMillis(2000));
        assertThat(whole()).containsExactly("step_1");
    }

    @Test
    void wholeAtOnceWhenItsTimesLieBackByTheClockOfItsDisk() throws IOException {
        Path file = save("step_1", "a");
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        Instant[] diskTime = {changed.toInstant().plusMillis(1999)};
        catalogue =
                new FolderCheckpointCatalogue(new JobFolders(home), () -> now, background::add, beside -> diskTime[0]);
        assertThat(whole()).isEmpty();
        diskTime[0] = changed.toInstant().plusMillis(2000);
        assertThat(whole()).containsExactly("step_1");
    }

    @Test
    void aTimeSetBackDoesNotMakeItStill() throws IOException {
        Path file = save("step_1", "a");
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        catalogue = new FolderCheckpointCatalogue(
                new JobFolders(home), () -> now, background::add, beside -> changed.plusMillis(500));
        assertThat(whole()).isEmpty();
    }

    @Test
    void theClockOfTheDiskIsAskedWithoutLeavingAnything() throws IOException {
        catalogue = new FolderCheckpointCatalogue(new JobFolders(home), () -> now, background::add);
        save("step_1", "a");
        assertThat(listed()).containsExactly("step_1");
        assertThat(onDisk()).containsExactly("step_1");
        try (Stream<Path> job = Files.list(folder.getParent())) {
            assertThat(job.map(path -> path.getFileName().toString())).containsExactly("checkpoints");
        }
    }

    @Test
    void aReportIsBelievedWhenTheStructureIsComplete() throws IOException {
        save("step_1.pt", "a");
        Path half = save("step_2.pt", "b");
        cutInHalf(half);
        catalogue.reported(JOB, "step_1.pt");
        catalogue.reported(JOB, "step_2.pt");
        catalogue.reported(JOB, "not-there");
        catalogue.reported(JOB, "../../../etc");
        assertThat(whole()).containsExactly("step_1.pt");
        save("step_1.pt", "written again, and longer");
        assertThat(whole()).as("the report was about other content").isEmpty();
    }

    @Test
    void aReportedEntryCountsWhateverItsName() throws IOException {
        save("step_1.pt", "a");
        save("state_2.json", "{}");
        assertThat(listed()).containsExactly("step_1.pt");
        save("state_3.json", "{");
        catalogue.reported(JOB, "state_3.json");
        catalogue.reported(JOB, "state_2.json");
        assertThat(listed()).containsExactly("state_2.json", "step_1.pt");
    }

    @Test
    void writersAliveNothingFreshIsChosen() throws IOException {
        save("step_1", "a");
        settle();
        save("step_2", "b");
        Choice choice = catalogue.choose(JOB, false);
        assertThat(chosen(choice)).isEqualTo("step_1");
        assertThat(choice.warnings())
                .singleElement()
                .asString()
                .contains("step_2")
                .contains("still being written");
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_2");
    }

    @Test
    void b60_aNewestCutShortIsPassedOverWithAWarning() throws IOException {
        save("step_100.pt", "good");
        settle();
        cutInHalf(save("step_200.pt", "cut"));
        empty(save("step_300.pt", "empty"));
        save("step_400.pt.tmp", "tmp");
        Files.createDirectories(folder.resolve("step_500"));
        Choice choice = catalogue.choose(JOB, true);

        assertThat(chosen(choice)).isEqualTo("step_100.pt");
        assertThat(choice.checkpoint().orElseThrow().path())
                .isEqualTo(folder.resolve("step_100.pt").toString());
        assertThat(choice.checkpoint().orElseThrow().whole()).isTrue();
        assertThat(choice.warnings()).hasSize(4);
        assertThat(choice.warnings().get(0)).contains("step_500").contains("empty folder");
        assertThat(choice.warnings().get(1)).contains("step_400.pt.tmp");
        assertThat(choice.warnings().get(2)).contains("step_300.pt").contains("is empty");
        assertThat(choice.warnings().get(3)).contains("step_200.pt").contains("cut short");
    }

    @Test
    void b60_withNothingWholeTheJobStartsAfresh() throws IOException {
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("none");
        empty(save("step_1", ""));
        Choice choice = catalogue.choose(JOB, true);
        assertThat(chosen(choice)).isEqualTo("none");
        assertThat(choice.warnings()).hasSize(1);
    }

    @Test
    void a47_contentThatRottedIsFoundByItsDigest() throws IOException {
        save("step_1", "first");
        Path second = save("step_2", "second");
        settle();
        FileTime time = Files.getLastModifiedTime(second);
        flip(second, 3);
        Files.setLastModifiedTime(second, time);
        assertThat(whole()).as("size and time do not tell").contains("step_2");

        catalogue = restarted();
        Choice choice = catalogue.choose(JOB, true);
        assertThat(chosen(choice)).isEqualTo("step_1");
        assertThat(choice.warnings())
                .singleElement()
                .asString()
                .contains("step_2")
                .contains("damaged");
    }

    @Test
    void a47_contentChangedByAnyoneAfterItWasRecordedIsNotTrusted() throws IOException {
        save("step_1", "first");
        Path second = save("step_2", "second");
        settle();
        flip(second, 3);
        assertThat(whole()).containsExactly("step_1");
        Choice choice = catalogue.choose(JOB, true);
        assertThat(chosen(choice)).isEqualTo("step_1");
        assertThat(choice.warnings())
                .singleElement()
                .asString()
                .contains("step_2")
                .contains("changed after");
    }

    @Test
    void aLaterAttemptMayWriteTheStepsAfterItsStartAgain() throws IOException {
        save("step_1", "first");
        Path second = save("step_2", "second");
        settle();
        flip(second, 3);
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_1");
        save("step_2", "second, by the attempt that started at 1");
        settle();
        assertThat(whole()).containsExactly("step_2", "step_1");
        assertThat(chosen(restarted().choose(JOB, true))).isEqualTo("step_2");
    }

    @Test
    void whatItsOwnCheckSumsProveMayBeWrittenAgainAtAnyTime() throws IOException {
        save("step_1.pt", "first");
        settle();
        Path again = save("step_1.pt", "ping-pong");
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_1.pt");
        settle();
        flip(again, 60);
        Choice choice = catalogue.choose(JOB, true);
        assertThat(chosen(choice)).isEqualTo("none");
        assertThat(choice.warnings().getFirst()).contains("check sums");
    }

    @Test
    void aZipThatIsOverwrittenInPlaceIsNotResumedFromThoughTheAttemptBeganWithIt() throws IOException {
        save("step_1.pt", "first");
        Path second = Files.write(folder.resolve("step_2.pt"), zip(List.of("a/data.pkl"), "second"));
        settle();
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_2.pt");
        flip(second, 60);
        settle();
        Choice choice = catalogue.choose(JOB, true);
        assertThat(chosen(choice)).isEqualTo("step_1.pt");
        assertThat(choice.warnings()).singleElement().asString().contains("step_2.pt", "check sums");
    }

    @Test
    void aNameWithoutAStepIsWrittenAgainAndAgain() throws IOException {
        save("last.bin", "one");
        settle();
        save("last.bin", "two, which is longer");
        settle();
        assertThat(whole()).containsExactly("last.bin");
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("last.bin");
        save("step_3.bin", "x");
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_3.bin");
    }

    @Test
    void theDigestIsRecordedOnceAndOutsideTheFolder() throws IOException {
        save("step_1", "first");
        catalogue.list(JOB);
        wait(Duration.ofSeconds(2));
        catalogue.list(JOB);
        catalogue.list(JOB);
        assertThat(background).as("it is read once").hasSize(1);
        readInBackground();
        String digest = catalogue.list(JOB).getFirst().digest().orElseThrow();
        assertThat(digest).startsWith("sha256:");
        assertThat(restarted().list(JOB).getFirst().digest()).contains(digest);
        assertThat(onDisk()).containsExactly("step_1");
        assertThat(folder.resolveSibling("checkpoints.json")).isRegularFile();
        catalogue.list(JOB);
        assertThat(background).as("nothing is read twice").isEmpty();
    }

    @Test
    void aDamagedIndexLosesOnlyDigests() throws IOException {
        save("step_1", "first");
        settle();
        for (String damaged : List.of("{\"entries\": [", "{\"entries\": 3}", "")) {
            Files.writeString(folder.resolveSibling("checkpoints.json"), damaged);
            catalogue = restarted();
            assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_1");
        }
    }

    @Test
    void whatChangesWhileItIsReadIsNotRecorded() throws IOException {
        Path file = save("step_1", "first");
        catalogue.list(JOB);
        wait(Duration.ofSeconds(2));
        catalogue.list(JOB);
        Files.writeString(file, "changed before the reader came to it");
        readInBackground();
        assertThat(catalogue.list(JOB).getFirst().digest()).isEmpty();
    }

    @Test
    void tensorFlowIsListedByPrefix() throws IOException {
        tensorFlow(folder, "ckpt-9", 1, 3);
        tensorFlow(folder, "ckpt-10", 2, 3);
        Files.writeString(folder.resolve("checkpoint"), "model_checkpoint_path: \"ckpt-10\"\n");
        Files.writeString(folder.resolve("ckpt-10.data-00000-of-00002.tempstate1234"), "x");
        Checkpoint newest = catalogue.choose(JOB, true).checkpoint().orElseThrow();
        assertThat(newest.name()).isEqualTo("ckpt-10");
        assertThat(newest.path()).isEqualTo(folder.resolve("ckpt-10").toString());
        Files.delete(folder.resolve("ckpt-10.index"));
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("ckpt-9");
        catalogue.reported(JOB, folder.resolve("ckpt-9.index").toString());
        assertThat(whole()).containsExactly("ckpt-9");
    }

    @Test
    void otherThingsInTheFolderAreNoCheckpoints() throws Exception {
        save("events.out.tfevents.1700000000.host.1.0.v2", "x");
        save("train-2026.log", "x");
        save("config.json", "{}");
        save(".hidden_9", "x");
        Files.createDirectories(folder.resolve("logs/run"));
        Files.writeString(folder.resolve("logs/run/x"), "x");
        save("step_1", "x");
        Files.createSymbolicLink(folder.resolve("latest"), Path.of("step_1"));
        Files.createSymbolicLink(folder.resolve("step_99"), Path.of("gone"));
        Path pipe = home.resolve("pipe");
        assertThat(new ProcessBuilder(
                                "mkfifo",
                                pipe.toString(),
                                folder.resolve("step_98").toString())
                        .start()
                        .waitFor())
                .isZero();
        Files.createSymbolicLink(folder.resolve("step_97"), pipe);
        assertThat(listed()).containsExactly("step_1");
    }

    @Test
    void aLinkToAnotherPlaceIsReadButWhatItNamesIsNeverRemoved() throws IOException {
        Path elsewhere = Files.createDirectories(home.resolve("elsewhere/big"));
        Files.writeString(elsewhere.resolve("w"), "weights");
        Files.createSymbolicLink(folder.resolve("step_1"), elsewhere);
        assertThat(chosen(catalogue.choose(JOB, true))).isEqualTo("step_1");
        save("step_2", "x");
        settle();
        catalogue.prune(JOB, 1, false);
        assertThat(onDisk()).containsExactly("step_2");
        assertThat(elsewhere.resolve("w")).hasContent("weights");
    }

    @Test
    void nothingIsWrittenForAJobThatIsGone() throws IOException {
        Path job = Files.createDirectories(home.resolve("gone"));
        CheckpointIndex index = CheckpointIndex.open(job.resolve("checkpoints.json"));
        index.put("step_1", CheckpointIndex.Known.NOTHING);
        Files.delete(job);
        index.save();
        assertThat(job).doesNotExist();
    }

    @Test
    void aJobWithoutFolderHasNone() {
        JobId other = new JobId("j2");
        assertThat(catalogue.list(other)).isEmpty();
        assertThat(chosen(catalogue.choose(other, true))).isEqualTo("none");
        catalogue.prune(other, 1, false);
        catalogue.reported(other, "step_1");
        assertThat(home.resolve("jobs/j2")).doesNotExist();
    }
}
