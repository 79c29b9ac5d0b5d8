package dev.muster.server.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive is read by the tar of the system. */
class FolderArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsUnpackedAsItWas() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from"));
        String longName = "d".repeat(90) + "/" + "f".repeat(90);
        write(from, "plain.txt", "hello\n");
        write(from, "empty", "");
        write(from, "exact", "x".repeat(512));
        write(from, longName, "deep");
        write(from, "модель 模型", "ü");
        Files.createDirectory(from.resolve("none"));
        Files.createSymbolicLink(from.resolve("link"), Path.of("plain.txt"));
        Files.setPosixFilePermissions(write(from, "run", "#!/bin/sh\n"), PosixFilePermissions.fromString("rwxr-xr-x"));

        Path to = Files.createDirectories(folder.resolve("to"));
        unpack(pack(from), to);

        assertThat(Files.readString(to.resolve("plain.txt"))).isEqualTo("hello\n");
        assertThat(to.resolve("empty")).isEmptyFile();
        assertThat(Files.readString(to.resolve("exact"))).hasSize(512);
        assertThat(Files.readString(to.resolve(longName))).isEqualTo("deep");
        assertThat(Files.readString(to.resolve("модель 模型"))).isEqualTo("ü");
        assertThat(to.resolve("none")).isEmptyDirectory();
        assertThat(Files.readSymbolicLink(to.resolve("link"))).isEqualTo(Path.of("plain.txt"));
        assertThat(Files.isExecutable(to.resolve("run"))).isTrue();
        assertThat(Files.isExecutable(to.resolve("plain.txt"))).isFalse();
    }

    @Test
    void equalFoldersGiveEqualBytes() throws Exception {
        Path one = Files.createDirectories(folder.resolve("one"));
        Path other = Files.createDirectories(folder.resolve("other"));
        for (String name : new String[] {"b", "a", "c/d"}) {
            write(one, name, name);
        }
        for (String name : new String[] {"c/d", "a", "b"}) {
            write(other, name, name);
        }
        assertThat(pack(one)).isEqualTo(pack(other));
    }

    private static byte[] pack(Path from) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FolderArchive.write(from, out);
        return out.toByteArray();
    }

    private static void unpack(byte[] tar, Path to) throws Exception {
        Process process = new ProcessBuilder("tar", "-x", "-C", to.toString())
                .redirectErrorStream(true)
                .start();
        try (var in = process.getOutputStream()) {
            new ByteArrayInputStream(tar).transferTo(in);
        }
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    private static Path write(Path folder, String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
