package dev.muster.artifacts.checkpoints;

import static dev.muster.artifacts.checkpoints.CheckpointFiles.cutInHalf;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.empty;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.flip;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.hdf5;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.numpy;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.safetensors;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.tensorFlow;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.withoutCheckSums;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.zeros;
import static dev.muster.artifacts.checkpoints.CheckpointFiles.zip;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructureTest {
    @TempDir
    Path folder;

    private Optional<String> missing(String name) throws IOException {
        List<Entry> entries = Scan.folder(folder, Set.of(name));
        Entry entry = entries.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return Structure.missing(entry, Structure.expectedMarkers(entries));
    }

    private Optional<String> damage(String name) throws IOException {
        return Structure.damage(Scan.folder(folder, Set.of(name)).getFirst());
    }

    private static Map<String, byte[]> single() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String name : List.of("s_1.pt", "s_1.pth", "s_1.ckpt", "s_1.npz", "s_1.keras")) {
            files.put(name, zip(name));
        }
        files.put("s_1.safetensors", safetensors(400));
        files.put("s_1.h5", hdf5(0, 2048));
        files.put("s_2.h5", hdf5(2, 2048));
        files.put("s_1.npy", numpy(100));
        files.put("s_1.json", "{\"step\": 1, \"loss\": NaN, \"w\": [0.1, 2e-3]}".getBytes());
        files.put("s_1.pkl", new byte[] {(byte) 0x80, 4, 'K', 1, '.'});
        return files;
    }

    @Test
    void everyFormIsWholeAsItIsWritten() throws IOException {
        for (Map.Entry<String, byte[]> file : single().entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
            assertThat(missing(file.getKey())).as(file.getKey()).isEmpty();
            assertThat(damage(file.getKey())).as(file.getKey()).isEmpty();
            Files.delete(folder.resolve(file.getKey()));
        }
    }

    @Test
    void b60_everyFormIsHalfAtEveryShorterLength() throws IOException {
        for (Map.Entry<String, byte[]> file : single().entrySet()) {
            byte[] whole = file.getValue();
            for (int length = 0; length < whole.length; length += Math.max(1, whole.length / 50)) {
                Files.write(folder.resolve(file.getKey()), Arrays.copyOf(whole, length));
                assertThat(missing(file.getKey()))
                        .as(file.getKey() + " cut to " + length)
                        .isPresent();
            }
            Files.delete(folder.resolve(file.getKey()));
        }
    }

    @Test
    void b60_zerosInsteadOfContentAreNotWhole() throws IOException {
        for (String name : List.of("s_1.pt", "s_1.npz", "s_1.safetensors", "s_1.h5", "s_1.keras", "s_1.json")) {
            Files.write(folder.resolve(name), new byte[5000]);
            assertThat(missing(name)).as(name).isPresent();
        }
    }

    @Test
    void anUnknownFormIsWholeWhenItIsNotEmpty() throws IOException {
        Files.writeString(folder.resolve("step_1"), "anything");
        Files.writeString(folder.resolve("step_2.dat"), "anything");
        Files.write(folder.resolve("step_3"), new byte[0]);
        assertThat(missing("step_1")).isEmpty();
        assertThat(missing("step_2.dat")).isEmpty();
        assertThat(missing("step_3")).contains("is empty");
    }

    @Test
    void zipsOfMoreThan65535MembersAndWithCommentsAreRead() throws IOException {
        Path file = folder.resolve("s_1.pt");
        try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            zip.setComment("a comment");
            for (int i = 0; i < 66_000; i++) {
                zip.putNextEntry(new ZipEntry("d/" + i));
            }
        }
        assertThat(missing("s_1.pt")).isEmpty();
        cutInHalf(file);
        assertThat(missing("s_1.pt")).isPresent();
    }

    @Test
    void aZipWhoseContentChangedIsDamaged() throws IOException {
        Path file = folder.resolve("s_1.pt");
        Files.write(file, zip("x"));
        flip(file, 60);
        assertThat(missing("s_1.pt")).isEmpty();
        assertThat(damage("s_1.pt").orElseThrow()).contains("check sums");
    }

    @Test
    void aZipOfOneMemberWhoseContentChangedIsDamaged() throws IOException {
        Path file = folder.resolve("s_1.pt");
        Files.write(file, zip(List.of("archive/data.pkl"), "x"));
        assertThat(damage("s_1.pt")).isEmpty();
        flip(file, 60);
        assertThat(missing("s_1.pt")).isEmpty();
        assertThat(damage("s_1.pt").orElseThrow()).contains("1 of its parts");
    }

    @Test
    void aZipThatWasWrittenWithoutCheckSumsProvesNothing() throws IOException {
        Path file = folder.resolve("s_1.pt");
        Files.write(file, withoutCheckSums(zip("x")));
        assertThat(missing("s_1.pt")).isEmpty();
        assertThat(damage("s_1.pt")).isEmpty();
        assertThat(Structure.provesItself(Scan.entry(file))).isFalse();
        Files.write(file, zip("x"));
        assertThat(Structure.provesItself(Scan.entry(file))).isTrue();
    }

    @Test
    void tensorFlowNeedsItsIndexAndEveryShardToItsEnd() throws IOException {
        tensorFlow(folder, "ckpt-7", 3, 10);
        assertThat(missing("ckpt-7")).isEmpty();
        assertThat(damage("ckpt-7")).isEmpty();
        Path index = folder.resolve("ckpt-7.index");
        Path shard = folder.resolve("ckpt-7.data-00001-of-00003");

        byte[] wholeIndex = Files.readAllBytes(index);
        for (int length = 0; length < wholeIndex.length; length += 7) {
            Files.write(index, Arrays.copyOf(wholeIndex, length));
            assertThat(missing("ckpt-7")).as("index cut to " + length).isPresent();
        }
        zerosOf(index, wholeIndex.length);
        assertThat(missing("ckpt-7")).isPresent();
        Files.delete(index);
        assertThat(missing("ckpt-7").orElseThrow()).contains("index");
        Files.write(index, wholeIndex);

        byte[] wholeShard = Files.readAllBytes(shard);
        Files.write(shard, Arrays.copyOf(wholeShard, wholeShard.length - 1));
        assertThat(missing("ckpt-7").orElseThrow()).contains("data file 1").contains("index says");
        empty(shard);
        assertThat(missing("ckpt-7")).isPresent();
        Files.delete(shard);
        assertThat(missing("ckpt-7").orElseThrow()).contains("lacks data file 2 of 3");
        Files.write(shard, wholeShard);
        assertThat(missing("ckpt-7")).isEmpty();

        zeros(shard);
        assertThat(missing("ckpt-7")).as("sizes alone do not tell").isEmpty();
        assertThat(damage("ckpt-7").orElseThrow()).contains("tensor w1");
    }

    @Test
    void tensorFlowsOwnCheckpointIsReadAndEveryByteOfItsDataIsCovered() throws Exception {
        for (String name : List.of("ckpt-7.index", "ckpt-7.data-00000-of-00001", "checkpoint")) {
            try (InputStream resource = getClass().getResourceAsStream("tensorflow-2.21/" + name)) {
                Files.copy(resource, folder.resolve(name));
            }
        }
        assertThat(missing("ckpt-7")).isEmpty();
        assertThat(damage("ckpt-7")).isEmpty();
        assertThat(TensorFlowForm.namedByState(folder)).containsExactly("ckpt-7");
        TensorFlowIndex index =
                TensorFlowIndex.read(folder.resolve("ckpt-7.index")).orElseThrow();
        assertThat(index.tensors())
                .extracting(TensorFlowIndex.Tensor::name)
                .contains("w/.ATTRIBUTES/VARIABLE_VALUE", "names/.ATTRIBUTES/VARIABLE_VALUE");

        Path data = folder.resolve("ckpt-7.data-00000-of-00001");
        for (int place = 0; place < Files.size(data); place++) {
            flip(data, place);
            assertThat(damage("ckpt-7")).as("byte " + place).isPresent();
            flip(data, place);
        }
        Path table = folder.resolve("ckpt-7.index");
        int footer = 48;
        for (int place = 3; place < Files.size(table) - footer; place++) {
            flip(table, place);
            assertThat(missing("ckpt-7")).as("byte " + place + " of the index").isPresent();
            flip(table, place);
        }
    }

    /** Written by h5py 3, NumPy 2, safetensors and PyTorch 1.13 (zip and the older form). */
    @Test
    void filesOfTheRealLibrariesAreWholeAndAnyCutIsSeen() throws Exception {
        for (String name : List.of(
                "step_10.h5",
                "step_11.h5",
                "step_12.safetensors",
                "step_13.npz",
                "step_14.npz",
                "step_15.npy",
                "step_16.pt")) {
            byte[] whole = real(name);
            assertThat(missing(name)).as(name).isEmpty();
            assertThat(damage(name)).as(name).isEmpty();
            for (int length = 0; length < whole.length; length += Math.max(1, whole.length / 20)) {
                Files.write(folder.resolve(name), Arrays.copyOf(whole, length));
                assertThat(missing(name)).as(name + " cut to " + length).isPresent();
            }
            Files.delete(folder.resolve(name));
        }
        real("step_17.pth");
        assertThat(missing("step_17.pth")).isEmpty();
    }

    private byte[] real(String name) throws IOException {
        try (InputStream resource = getClass().getResourceAsStream("real/" + name)) {
            byte[] bytes = resource.readAllBytes();
            Files.write(folder.resolve(name), bytes);
            return bytes;
        }
    }

    private static void zerosOf(Path file, int length) throws IOException {
        Files.write(file, new byte[length]);
    }

    @Test
    void aFolderWithoutTheMarkerOfItsSiblingsIsHalf() throws IOException {
        for (String marker :
                List.of("_COMPLETE", "trainer_state.json", ".metadata", "_CHECKPOINT_METADATA", "commit_success.txt")) {
            Path top = Files.createDirectories(folder.resolve("m" + marker));
            Path first = Files.createDirectories(top.resolve("step_1"));
            Path second = Files.createDirectories(top.resolve("step_2"));
            for (Path each : List.of(first, second)) {
                Files.write(each.resolve("model.safetensors"), safetensors(40));
            }
            assertThat(missingIn(top, "step_2")).isEmpty();
            Files.writeString(first.resolve(marker), marker.equals(".metadata") ? "x." : "{}");
            assertThat(missingIn(top, "step_2").orElseThrow()).contains("lacks " + marker);
            assertThat(missingIn(top, "step_1")).isEmpty();
        }
    }

    private static Optional<String> missingIn(Path top, String name) throws IOException {
        List<Entry> entries = Scan.folder(top, Set.of());
        Entry entry = entries.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return Structure.missing(entry, Structure.expectedMarkers(entries));
    }

    @Test
    void pyTorchDistributedNeedsEveryFileItsMetadataNames() throws IOException {
        Path step = Files.createDirectories(folder.resolve("step_5"));
        Files.write(step.resolve("__0_0.distcp"), zip("a"));
        Files.write(step.resolve("__1_0.distcp"), zip("b"));
        assertThat(missing("step_5").orElseThrow()).contains(".metadata");
        Files.writeString(step.resolve(".metadata"), "\u0080pickle __0_0.distcp and __1_0.distcp.");
        assertThat(missing("step_5")).isEmpty();
        Files.delete(step.resolve("__1_0.distcp"));
        assertThat(missing("step_5").orElseThrow()).contains("__1_0.distcp");
        Files.write(step.resolve("__1_0.distcp"), new byte[0]);
        assertThat(missing("step_5").orElseThrow()).contains("__1_0.distcp");
        Files.write(step.resolve("__1_0.distcp"), zip("b"));
        Files.writeString(step.resolve(".metadata"), "pickle __0_0.dist");
        assertThat(missing("step_5").orElseThrow()).contains("cut short");
    }

    @Test
    void huggingFaceNeedsStateModelAndAllShards() throws IOException {
        Path step = Files.createDirectories(folder.resolve("checkpoint-500"));
        Files.write(step.resolve("model-00001-of-00002.safetensors"), safetensors(40));
        Files.write(step.resolve("optimizer.pt"), zip("o"));
        assertThat(missing("checkpoint-500").orElseThrow()).contains("trainer_state.json");
        Files.writeString(step.resolve("trainer_state.json"), "{\"global_step\": 500}");
        Files.writeString(
                step.resolve("model.safetensors.index.json"),
                "{\"weight_map\": {\"a\": \"model-00001-of-00002.safetensors\", \"b\": \"model-00002-of-00002.safetensors\"}}");
        assertThat(missing("checkpoint-500").orElseThrow()).contains("model-00002-of-00002.safetensors");
        Files.write(step.resolve("model-00002-of-00002.safetensors"), safetensors(40));
        assertThat(missing("checkpoint-500")).isEmpty();
        cutInHalf(step.resolve("trainer_state.json"));
        assertThat(missing("checkpoint-500").orElseThrow()).contains("trainer_state.json");
        Files.writeString(step.resolve("trainer_state.json"), "{}");
        cutInHalf(step.resolve("optimizer.pt"));
        assertThat(missing("checkpoint-500").orElseThrow()).contains("optimizer.pt");
    }

    @Test
    void aFolderIsHalfWhenItIsEmptyOrAFileInItIs() throws IOException {
        Path step = Files.createDirectories(folder.resolve("step_5/deep"));
        assertThat(missing("step_5")).contains("is an empty folder");
        Files.write(step.resolve("w.npy"), numpy(4));
        Files.write(step.resolve("empty.txt"), new byte[0]);
        assertThat(missing("step_5")).isEmpty();
        Files.write(step.resolve("v.pt.tmp"), zip("v"));
        assertThat(missing("step_5").orElseThrow()).contains("deep/v.pt.tmp");
        Files.delete(step.resolve("v.pt.tmp"));
        cutInHalf(step.resolve("w.npy"));
        assertThat(missing("step_5").orElseThrow()).contains("deep/w.npy");
        Files.delete(step.resolve("w.npy"));
        tensorFlow(step, "variables", 2, 4);
        assertThat(missing("step_5")).isEmpty();
        Files.delete(step.resolve("variables.data-00001-of-00002"));
        assertThat(missing("step_5").orElseThrow()).contains("deep/variables").contains("lacks data file 2 of 2");
    }

    @Test
    void orbaxFoldersAreWholeUnderTheirFinalName() throws IOException {
        Path step = Files.createDirectories(folder.resolve("1000/default/d"));
        Files.writeString(folder.resolve("1000/_CHECKPOINT_METADATA"), "{}");
        Files.writeString(step.resolve("abc"), "data");
        Files.createDirectories(folder.resolve("2000.orbax-checkpoint-tmp-17/default"));
        Files.writeString(folder.resolve("2000.orbax-checkpoint-tmp-17/default/x"), "data");
        assertThat(missing("1000")).isEmpty();
        Files.writeString(
                folder.resolve("1000/_CHECKPOINT_METADATA"),
                "{\"init_timestamp_nsecs\": 1, \"commit_timestamp_nsecs\": null}");
        assertThat(missing("1000").orElseThrow()).contains("not committed");
        Files.writeString(folder.resolve("1000/commit_success.txt"), "yes");
        assertThat(missing("1000")).isEmpty();
        Files.writeString(
                folder.resolve("1000/_CHECKPOINT_METADATA"),
                "{\"init_timestamp_nsecs\": 1, \"commit_timestamp_nsecs\": 2}");
        Files.delete(folder.resolve("1000/commit_success.txt"));
        assertThat(missing("1000")).isEmpty();
        assertThat(EntryName.isUnfinished("2000.orbax-checkpoint-tmp-17")).isTrue();
    }
}
