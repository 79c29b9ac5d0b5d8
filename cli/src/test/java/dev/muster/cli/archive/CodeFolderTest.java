package dev.muster.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.api.FieldProblem;
import dev.muster.cli.base.Failure;
import dev.muster.cli.client.Request;
import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeFolderTest {
    @TempDir
    private Path temporary;

    private Path code() throws IOException {
        return Files.createDirectories(temporary.resolve("code"));
    }

    private Path noHome() {
        return temporary.resolve("no-home");
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static byte[] bytes(CodeArchive archive) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        archive.writeTo(out);
        assertThat(archive.length()).as("the length told before").isEqualTo(out.size());
        return out.toByteArray();
    }

    private Path unpacked(CodeArchive archive) throws IOException {
        Path folder = Files.createTempDirectory(temporary, "unpacked");
        Unpacking.unpack(new ByteArrayInputStream(bytes(archive)), folder);
        return folder;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder))
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void filesFoldersLinksAndModesArrive() throws IOException {
        Path code = code();
        write(code.resolve("train.py"), "print('hi')\n");
        write(code.resolve("lib/модель.py"), "x = 1\n");
        write(code.resolve("empty.txt"), "");
        write(code.resolve("run.sh"), "#!/bin/sh\n");
        assertThat(code.resolve("run.sh").toFile().setExecutable(true)).isTrue();
        Files.createDirectories(code.resolve("empty"));
        String longName = "d".repeat(120) + "/" + "e".repeat(120) + "/" + "f".repeat(90) + ".py";
        write(code.resolve(longName), "long");
        Files.createSymbolicLink(code.resolve("lib/link.py"), Path.of("../train.py"));

        Path folder = unpacked(CodeFolder.look(code, noHome()));

        assertThat(names(folder)).containsExactlyElementsOf(names(code));
        assertThat(folder.resolve("lib/модель.py")).hasContent("x = 1");
        assertThat(folder.resolve(longName)).hasContent("long");
        assertThat(folder.resolve("run.sh")).isExecutable();
        assertThat(Files.isExecutable(folder.resolve("train.py"))).isFalse();
        assertThat(Files.readSymbolicLink(folder.resolve("lib/link.py"))).isEqualTo(Path.of("../train.py"));
    }

    @Test
    void theSameContentGivesTheSameBytesWhateverItsTimes() throws IOException {
        Path code = code();
        write(code.resolve("b.py"), "b");
        write(code.resolve("a/c.py"), "c");
        byte[] first = bytes(CodeFolder.look(code, noHome()));
        Files.setLastModifiedTime(code.resolve("b.py"), FileTime.fromMillis(1_000_000));
        assertThat(bytes(CodeFolder.look(code, noHome()))).isEqualTo(first);
        Files.writeString(code.resolve("b.py"), "B");
        assertThat(bytes(CodeFolder.look(code, noHome()))).isNotEqualTo(first);
    }

    /** The system's own tar reads what is written. */
    @Test
    void tarReadsIt() throws IOException, InterruptedException {
        Path code = code();
        write(code.resolve("a/" + "n".repeat(101) + ".py"), "x".repeat(1000));
        write(code.resolve("ü.py"), "y");
        Path file = temporary.resolve("code.tar");
        Files.write(file, bytes(CodeFolder.look(code, noHome())));
        Process tar = new ProcessBuilder("tar", "-tf", file.toString(), "--quoting-style=literal")
                .redirectErrorStream(true)
                .start();
        String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).as(output).isZero();
        assertThat(output.lines()).containsExactly("a/", "a/" + "n".repeat(101) + ".py", "ü.py");
    }

    @Test
    void whatIsIgnoredIsNeitherSentNorLookedInto() throws IOException {
        Path code = code();
        write(code.resolve(".musterignore"), "data/\n!keep.pyc\n");
        write(code.resolve("data/huge.bin"), "x");
        Files.createSymbolicLink(code.resolve("data/out"), Path.of("/etc"));
        write(code.resolve("src/data.py"), "x");
        write(code.resolve("keep.pyc"), "x");
        write(code.resolve("drop.pyc"), "x");
        write(code.resolve(".git/config"), "x");
        assertThat(names(unpacked(CodeFolder.look(code, noHome()))))
                .containsExactly(".musterignore", "keep.pyc", "src", "src/data.py");
    }

    @Test
    void linksOutOfTheFolderAreRefusedAllAtOnce() throws IOException {
        Path code = code();
        write(temporary.resolve("secret"), "x");
        Files.createSymbolicLink(code.resolve("absolute"), Path.of("/etc/passwd"));
        Files.createDirectories(code.resolve("a"));
        Files.createSymbolicLink(code.resolve("a/up"), Path.of("../../secret"));
        Files.createSymbolicLink(code.resolve("a/fine"), Path.of("../a"));
        Failure failure = catchThrowableOfType(Failure.class, () -> CodeFolder.look(code, noHome()));
        assertThat(failure.problem().problems()).extracting(FieldProblem::field).containsExactly("a/up", "absolute");
        assertThat(failure.problem().problems().getFirst().message()).contains("out of the folder");
    }

    @Test
    void linksInACircleAndByWayOfOthersAreRefusedAndLinksToNothingAreNot() throws IOException {
        Path code = code();
        Path outside = Files.createDirectories(temporary.resolve("outside/deep"));
        Files.createSymbolicLink(code.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(code.resolve("ping"), Path.of("pong"));
        Files.createSymbolicLink(code.resolve("pong"), Path.of("ping"));
        Files.createSymbolicLink(code.resolve("nothing"), Path.of("made/later"));
        Files.createSymbolicLink(code.resolve("out.pyc"), outside);
        Files.createSymbolicLink(code.resolve("via"), Path.of("out.pyc/.."));
        Failure failure = catchThrowableOfType(Failure.class, () -> CodeFolder.look(code, noHome()));
        assertThat(failure.problem().problems())
                .extracting(problem -> problem.field() + " " + problem.message())
                .containsExactly(
                        "loop is a link to loop, round in a circle",
                        "ping is a link to pong, round in a circle",
                        "pong is a link to ping, round in a circle",
                        "via is a link to out.pyc/.., out of the folder");
        assertThat(failure.problem().problems().getFirst().suggestion())
                .hasValueSatisfying(text -> assertThat(text).contains(".musterignore"));
    }

    @Test
    void pipesAreSkippedAndNamed() throws IOException, InterruptedException {
        Path code = code();
        write(code.resolve("a.py"), "x");
        assertThat(new ProcessBuilder("mkfifo", code.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        CodeArchive archive = CodeFolder.look(code, noHome());
        assertThat(archive.skipped()).containsExactly("pipe");
        assertThat(names(unpacked(archive))).containsExactly("a.py");
    }

    @Test
    void aFileThatGotShorterIsToldAndOneThatGotLongerIsCut() throws IOException {
        Path code = code();
        write(code.resolve("a.py"), "12345");
        CodeArchive archive = CodeFolder.look(code, noHome());
        Files.writeString(code.resolve("a.py"), "1234567");
        assertThat(unpacked(archive).resolve("a.py")).hasContent("12345");
        Files.writeString(code.resolve("a.py"), "12");
        assertThatThrownBy(() -> archive.writeTo(new ByteArrayOutputStream()))
                .isInstanceOf(Request.UnreadableBodyException.class)
                .hasMessageContaining("a.py");
    }

    @Test
    void theLargestPartsAreNamedFirst() throws IOException {
        Path code = code();
        write(code.resolve("a/1"), "x".repeat(10));
        write(code.resolve("a/2"), "x".repeat(10));
        write(code.resolve("b"), "x".repeat(15));
        CodeArchive archive = CodeFolder.look(code, noHome());
        assertThat(archive.bytes()).isEqualTo(35);
        assertThat(archive.files()).isEqualTo(3);
        assertThat(archive.largest())
                .extracting(entry -> entry.getKey() + " " + entry.getValue())
                .containsExactly("a 20", "b 15");
    }

    @Test
    void unpackingNeverLeavesItsFolder() throws IOException {
        for (TarEntry evil : List.of(
                new TarEntry("../evil", '0', 0644, 0, Instant.EPOCH, ""),
                new TarEntry("/tmp/evil", '0', 0644, 0, Instant.EPOCH, ""),
                new TarEntry("a/../../evil", '0', 0644, 0, Instant.EPOCH, ""),
                new TarEntry("l", '2', 0777, 0, Instant.EPOCH, "/etc"),
                new TarEntry("l", '2', 0777, 0, Instant.EPOCH, "../x"),
                new TarEntry("device", '3', 0644, 0, Instant.EPOCH, ""))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            TarWriter tar = new TarWriter(out);
            tar.write(evil);
            tar.end();
            Path folder = Files.createTempDirectory(temporary, "unpacked");
            assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(out.toByteArray()), folder))
                    .as(evil.toString())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the archive has");
            assertThat(names(folder)).isEmpty();
        }
    }

    @Test
    void unpackingWritesThroughNoLinkAndReadsNoDamagedArchive() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        tar.write(new TarEntry("a/", '5', 0755, 0, Instant.EPOCH, ""));
        tar.write(new TarEntry("l", '2', 0777, 0, Instant.EPOCH, "a"));
        tar.write(new TarEntry("l/file", '0', 0644, 0, Instant.EPOCH, ""));
        tar.end();
        Path folder = Files.createTempDirectory(temporary, "unpacked");
        assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(out.toByteArray()), folder))
                .hasMessageContaining("through a link");
        assertThat(Files.exists(folder.resolve("a/file"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        byte[] whole = out.toByteArray();
        whole[0] ^= 1;
        assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(whole), folder))
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> Unpacking.unpack(new ByteArrayInputStream(new byte[100]), folder))
                .hasMessageContaining("too early");
    }

    @Test
    void theStateOfMusterIsNotSent() throws IOException {
        Path code = code();
        write(code.resolve("train.py"), "print('hi')\n");
        write(code.resolve("state/token"), "secret");
        write(code.resolve("lib/state/kept.py"), "x = 1\n");
        Path otherName = Files.createSymbolicLink(temporary.resolve("alias"), code);

        assertThat(names(unpacked(CodeFolder.look(code, otherName.resolve("state")))))
                .containsExactly("lib", "lib/state", "lib/state/kept.py", "train.py");
    }
}
