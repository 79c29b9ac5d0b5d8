package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testkit.SampleSpecCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver's native library, unpacked once. */
final class SqliteLibraryTest {
    private static final String NAME = "libsqlitejdbc.so";

    @TempDir
    Path folder;

    private Path library(Map<String, String> properties) {
        assertThat(properties).containsOnlyKeys("org.sqlite.lib.path", "org.sqlite.lib.name");
        return Path.of(properties.get("org.sqlite.lib.path"), properties.get("org.sqlite.lib.name"));
    }

    @Test
    void itIsUnpackedOnceAndForItsOwnerOnly() throws IOException {
        Path library = library(SqliteLibrary.unpacked(folder.resolve("native")));
        assertThat(library).startsWith(folder).hasFileName(NAME).isNotEmptyFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(library)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(library.getParent())))
                .isEqualTo("rwx------");
        FileTime before = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(library, before);
        assertThat(library(SqliteLibrary.unpacked(folder.resolve("native")))).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(before);
        assertThat(names(library.getParent())).containsExactly(NAME);
    }

    @Test
    void whereItCannotBeWrittenTheDriverHelpsItself() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(SqliteLibrary.unpacked(file)).isEmpty();
    }

    /** A second JVM works with it, and leaves nothing in the folder for temporary files while it runs. */
    @Test
    void theDriverUsesItAndUnpacksNoOther() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp"))));
        SqliteLibrary.unpacked(folder.resolve("native"))
                .forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Opens.class.getName(),
                folder.resolve("store").toString(),
                folder.resolve("tmp").toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("err").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        assertThat(said.strip()).isEqualTo("0 jobs, []");
    }

    static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("hsperfdata"))
                    .toList();
        }
    }

    /** Opens a store and says what it sees, and what lies in the folder for temporary files. */
    static final class Opens {
        private Opens() {}

        public static void main(String[] arguments) throws IOException {
            try (var store = SqliteJobStore.open(Path.of(arguments[0]), new SampleSpecCodec(), (job, why) -> {})) {
                System.out.println(store.live().size() + " jobs, " + names(Path.of(arguments[1])));
            }
        }
    }
}
