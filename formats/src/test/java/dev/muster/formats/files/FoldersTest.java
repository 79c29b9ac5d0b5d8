package dev.muster.formats.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
    @TempDir
    private Path home;

    private Path filled() throws IOException {
        Path folder = Files.createDirectories(home.resolve("folder/a/b"));
        Files.writeString(folder.resolve("file"), "x");
        Files.writeString(home.resolve("folder/a/file"), "x");
        return home.resolve("folder");
    }

    @Test
    void aWholeFolderGoes() throws IOException {
        Folders.delete(filled());
        assertThat(home.resolve("folder")).doesNotExist();
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void aLinkGoesAndWhatItLeadsToStays() throws IOException {
        Path kept = Files.createDirectories(home.resolve("kept"));
        Files.writeString(kept.resolve("file"), "x");
        Path folder = filled();
        Files.createSymbolicLink(folder.resolve("link"), kept);
        Path link = Files.createSymbolicLink(home.resolve("link"), kept);
        Folders.delete(folder);
        Folders.delete(link);
        assertThat(folder).doesNotExist();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(kept.resolve("file")).exists();
    }

    @Test
    void aFileGoesAndNothingIsNoError() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "x");
        Folders.delete(file);
        Folders.delete(file);
        assertThat(file).doesNotExist();
    }

    /** Seen only by who is not root, for whom every folder is open. */
    @Test
    void aFolderWithoutRightsGoesToo() throws IOException {
        Path folder = filled();
        Files.setPosixFilePermissions(folder.resolve("a"), PosixFilePermissions.fromString("---------"));
        Folders.delete(folder);
        assertThat(folder).doesNotExist();
    }
}
