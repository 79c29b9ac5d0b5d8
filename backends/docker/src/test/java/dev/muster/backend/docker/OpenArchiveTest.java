package dev.muster.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenArchiveTest {
    @TempDir
    private Path folder;

    private record Read(TarEntry entry, String content) {}

    private static Map<String, Read> read(byte[] archive) throws IOException {
        TarReader tar = new TarReader(new ByteArrayInputStream(archive), CodingErrorAction.REPORT);
        Map<String, Read> found = new TreeMap<>();
        for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
            String content = new String(tar.content().readAllBytes(), StandardCharsets.UTF_8);
            found.put(entry.get().name(), new Read(entry.get(), content));
        }
        return found;
    }

    private byte[] written() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OpenArchive tar = new OpenArchive(out);
        tar.tree("code", folder);
        tar.file("empty", new byte[0]);
        tar.end();
        return out.toByteArray();
    }

    private String deep() throws IOException {
        String name = "имя с пробелом/" + "long/".repeat(30) + "файл ✓.txt";
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "deep\n");
        return name;
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        String deep = deep();
        Files.writeString(folder.resolve("train.sh"), "echo\n");
        assertThat(folder.resolve("train.sh").toFile().setExecutable(true)).isTrue();
        Files.setLastModifiedTime(folder.resolve("train.sh"), FileTime.from(Instant.ofEpochSecond(1_700_000_000)));
        Files.createSymbolicLink(folder.resolve("link"), Path.of("train.sh"));
        Map<String, Read> read = read(written());
        assertThat(read.get("code/" + deep).content()).isEqualTo("deep\n");
        TarEntry script = read.get("code/train.sh").entry();
        assertThat(script.mode() & 0111).isEqualTo(0111);
        assertThat(script.modified()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
        assertThat(read.get("code/link").entry().kind()).isEqualTo(TarEntry.Kind.SYMBOLIC_LINK);
        assertThat(read.get("code/link").entry().target()).isEqualTo("train.sh");
        assertThat(read.get("code/").entry().kind()).isEqualTo(TarEntry.Kind.FOLDER);
        assertThat(read.get("empty").entry().size()).isZero();
    }

    /** Another reader and another writer: the system's. */
    @Test
    void theSystemsTarReadsIt() throws Exception {
        String deep = deep();
        Path archive = folder.resolveSibling(folder.getFileName() + ".tar");
        Files.write(archive, written());
        Process listing = new ProcessBuilder("tar", "-tf", archive.toString(), "--quoting-style=literal").start();
        assertThat(new String(listing.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .contains("code/" + deep, "empty");
        assertThat(listing.waitFor()).isZero();
        Files.delete(archive);
    }

    @Test
    void anArchiveThatBreaksOffIsToldFromAWholeOne() throws IOException {
        Files.writeString(folder.resolve("a"), "x".repeat(5000));
        byte[] whole = written();
        byte[] half = java.util.Arrays.copyOf(whole, 3000);
        assertThatThrownBy(() -> read(half)).isInstanceOf(IOException.class);
    }
}
