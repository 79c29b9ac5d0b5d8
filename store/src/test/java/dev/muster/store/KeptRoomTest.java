package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a really full disk does is shown by testbed/real-local. */
final class KeptRoomTest {
    private static final long BYTES = 200_000;

    @TempDir
    Path folder;

    @Test
    void roomIsKeptGivenUpInPiecesAndTakenAgain() throws Exception {
        Path file = folder.resolve("reserve");
        KeptRoom room = new KeptRoom(file, BYTES);
        assertThat(room.giveUp(BYTES)).isFalse();
        assertThat(room.lacksSome()).isFalse();
        room.keep();
        assertThat(file).hasSize(BYTES);
        assertThat(room.lacksSome()).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(room.giveUp(150_000)).isTrue();
        assertThat(file).hasSize(50_000);
        assertThat(room.lacksSome()).isTrue();
        assertThat(room.giveUp(150_000)).isTrue();
        assertThat(room.giveUp(150_000)).isFalse();
        room.keep();
        assertThat(file).hasSize(BYTES);
    }

    @Test
    void whatIsMissingIsAdded() throws Exception {
        Path file = Files.write(folder.resolve("reserve"), new byte[1000]);
        new KeptRoom(file, BYTES).keep();
        assertThat(file).hasSize(BYTES);
    }

    @Test
    void anOpenAndAClosedDatabaseHaveIt() {
        SqliteDatabase database = new SqliteDatabase(folder.resolve("muster.db"));
        assertThat(folder.resolve("reserve")).hasSize(64 << 10);
        assertThat(folder.resolve("reserve.ends")).hasSize(4 << 20);
        database.close();
        assertThat(folder.resolve("reserve")).hasSize(64 << 10);
        assertThat(folder.resolve("reserve.ends")).hasSize(4 << 20);
    }
}
