package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a really full disk does to a start is shown by testbed/real-local. */
final class StartRoomTest {
    @TempDir
    Path folder;

    @Test
    void roomIsKeptGivenUpOnceAndTakenAgain() throws Exception {
        Path file = folder.resolve("reserve");
        StartRoom room = new StartRoom(file);
        assertThat(room.giveUp()).isFalse();
        room.keep();
        assertThat(Files.size(file)).isEqualTo(64 << 10);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(room.giveUp()).isTrue();
        assertThat(room.giveUp()).isFalse();
        room.keep();
        assertThat(Files.size(file)).isEqualTo(64 << 10);
    }

    @Test
    void whatIsMissingIsAdded() throws Exception {
        Path file = Files.write(folder.resolve("reserve"), new byte[1000]);
        new StartRoom(file).keep();
        assertThat(Files.size(file)).isEqualTo(64 << 10);
    }

    @Test
    void anOpenAndAClosedDatabaseHaveIt() {
        SqliteDatabase database = new SqliteDatabase(folder.resolve("muster.db"));
        assertThat(folder.resolve("reserve")).hasSize(64 << 10);
        database.close();
        assertThat(folder.resolve("reserve")).hasSize(64 << 10);
    }
}
