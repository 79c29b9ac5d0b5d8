package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParcelTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path folder;

    private byte[] packed(Path path, String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Parcel parcel = new Parcel();
        parcel.add(path, name);
        parcel.writeTo(bytes);
        assertThat(bytes.size()).as("the length that is told before").isEqualTo((int) parcel.bytes());
        return bytes.toByteArray();
    }

    @Test
    void whatIsPackedIsUnpackedTheSame() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from/" + "deep/".repeat(40) + "модель"));
        Path file = Files.writeString(from.resolve("n".repeat(120)), "x".repeat(1000));
        Files.setLastModifiedTime(file, FileTime.from(TIME));
        Path script = Files.writeString(from.resolve("run.sh"), "");
        script.toFile().setExecutable(true);
        Path to = folder.resolve("to");
        Unpacking.unpack(new ByteArrayInputStream(packed(folder.resolve("from"), "from")), to);
        Path copy = to.resolve(folder.relativize(file));
        assertThat(copy).hasContent("x".repeat(1000));
        assertThat(Files.getLastModifiedTime(copy).toInstant()).isEqualTo(TIME);
        assertThat(to.resolve(folder.relativize(script))).isExecutable();
    }

    @Test
    void theSystemsTarReadsIt() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from/" + "deep/".repeat(40)));
        Path file = Files.writeString(from.resolve("n".repeat(120)), "content");
        Path link = Files.createSymbolicLink(from.resolve("link"), Path.of("n".repeat(120)));
        Path archive = Files.write(folder.resolve("a.tar"), packed(folder.resolve("from"), "from"));
        Path to = Files.createDirectories(folder.resolve("to"));
        Process tar = new ProcessBuilder("tar", "-x", "-f", archive.toString(), "-C", to.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        assertThat(to.resolve(folder.relativize(file))).hasContent("content");
        assertThat(to.resolve(folder.relativize(link))).isSymbolicLink();
    }

    @Test
    void linksInAFolderAreKeptWhereverTheyLeadTo() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from/deep"));
        Files.createSymbolicLink(from.resolve("dangling"), Path.of("nothere"));
        Files.createSymbolicLink(folder.resolve("from/dangling"), Path.of("nothere"));
        Files.createSymbolicLink(folder.resolve("from/round"), Path.of("."));
        Parcel parcel = new Parcel();
        parcel.addInside(folder.resolve("from"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        parcel.writeTo(bytes);
        Path archive = Files.write(folder.resolve("links.tar"), bytes.toByteArray());
        Path to = Files.createDirectories(folder.resolve("links"));
        Process tar = new ProcessBuilder("tar", "-x", "-f", archive.toString(), "-C", to.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        assertThat(Files.readSymbolicLink(to.resolve("dangling"))).isEqualTo(Path.of("nothere"));
        assertThat(Files.readSymbolicLink(to.resolve("round"))).isEqualTo(Path.of("."));
        assertThat(to.resolve("deep/dangling")).isSymbolicLink();
    }

    @Test
    void theSystemsTarIsRead() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from/" + "deep/".repeat(40)));
        Path file = Files.writeString(from.resolve("n".repeat(120)), "content");
        Path archive = folder.resolve("a.tar");
        Process tar = new ProcessBuilder(
                        "tar", "-c", "--format=gnu", "-f", archive.toString(), "-C", folder.toString(), "from")
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        Path to = folder.resolve("to");
        Unpacking.unpack(Files.newInputStream(archive), to);
        assertThat(to.resolve(folder.relativize(file))).hasContent("content");
    }

    @Test
    void whatWouldLeaveTheFolderIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "evil");
        byte[] archive = packed(file, "../outside");
        assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(archive), folder.resolve("to")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../outside");
        assertThat(folder.resolve("outside")).doesNotExist();
    }

    @Test
    void anArchiveThatBreaksOffIsAnError() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x".repeat(2000));
        byte[] whole = packed(file, "file");
        byte[] part = java.util.Arrays.copyOf(whole, 1500);
        assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(part), folder.resolve("to")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("breaks off");
    }
}
