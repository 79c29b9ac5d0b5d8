package dev.muster.server.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MusterHomeTest {
    @TempDir
    private Path folder;

    @Test
    void itIsMadeForItsOwnerOnly() throws Exception {
        Path home = folder.resolve("a/b/home");
        try (MusterHome taken = MusterHome.take(home).orElseThrow()) {
            assertThat(taken.token()).isEqualTo(taken.token());
            assertThat(permissions(home)).isEqualTo("rwx------");
            assertThat(permissions(taken.paths().token())).isEqualTo("rw-------");
            assertThat(permissions(taken.paths().serviceLock())).isEqualTo("rw-------");
            assertThat(Files.readString(taken.paths().token()).strip())
                    .isEqualTo(taken.token())
                    .hasSize(64);
        }
    }

    @Test
    void aHomeThatWasRemovedIsToldFromANewOneInItsPlace() throws Exception {
        Path home = folder.resolve("home");
        ServiceFile announced = new ServiceFile(1, Instant.EPOCH, "http://127.0.0.1:1", "/t", "b");
        try (MusterHome first = MusterHome.take(home).orElseThrow()) {
            assertThat(first.isThere()).isTrue();
            Files.move(home, folder.resolve("removed"));
            assertThat(first.isThere()).isFalse();
            try (MusterHome second = MusterHome.take(home).orElseThrow()) {
                second.announce(announced);
                first.withdraw();
                assertThat(first.isThere()).isFalse();
                assertThat(second.isThere()).isTrue();
                assertThat(MusterHome.announced(second.paths())).contains(announced);
            }
        }
    }

    @Test
    void whoTakesAHomeTakesBackThatItWasAServiceForSeveral() throws Exception {
        Path home = folder.resolve("home");
        try (MusterHome first = MusterHome.take(home).orElseThrow()) {
            first.announceShared("http://here:8470");
            assertThat(first.paths().sharedUrl()).hasContent("http://here:8470");
            assertThat(MusterHome.isHeld(home)).isTrue();
        }
        assertThat(MusterHome.isHeld(home)).isFalse();
        try (MusterHome next = MusterHome.take(home).orElseThrow()) {
            assertThat(next.paths().sharedUrl()).doesNotExist();
        }
    }

    @Test
    void whatOthersCouldOnlyReadIsClosed() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        MusterHome.take(home).orElseThrow().close();
        assertThat(permissions(home)).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwx-w----", "rwxr-xrwx"})
    void whatOthersCouldWriteIsRefused(String permissions) throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString(permissions));
        assertThatThrownBy(() -> MusterHome.take(home))
                .isInstanceOf(HomeException.class)
                .hasMessageContaining("can be written by others")
                .hasMessageContaining("chmod go-w");
        assertThat(Files.list(home)).isEmpty();
    }

    @Test
    void aFileInItsPlaceIsRefused() throws IOException {
        Path home = Files.createFile(folder.resolve("home"));
        assertThatThrownBy(() -> MusterHome.take(home))
                .isInstanceOf(HomeException.class)
                .hasMessageContaining("is no folder");
    }

    @Test
    void oneServiceAtATimeHoldsIt() throws Exception {
        Path home = folder.resolve("home");
        String token;
        try (MusterHome first = MusterHome.take(home).orElseThrow()) {
            assertThat(MusterHome.take(home)).isEmpty();
            token = first.token();
        }
        try (MusterHome next = MusterHome.take(home).orElseThrow()) {
            assertThat(next.token()).isEqualTo(token);
        }
    }

    @Test
    void theServiceIsAnnouncedWholeAndTakenBack() throws Exception {
        ServiceFile service =
                new ServiceFile(42, Instant.parse("2026-01-31T12:00:00Z"), "http://127.0.0.1:1", "/t", "b");
        try (MusterHome home = MusterHome.take(folder.resolve("home")).orElseThrow()) {
            ServiceHome paths = home.paths();
            assertThat(MusterHome.announced(paths)).isEmpty();
            home.announce(service);
            assertThat(MusterHome.announced(paths)).contains(service);
            assertThat(permissions(paths.serviceFile())).isEqualTo("rw-------");
            Files.delete(paths.serviceFile());
            home.announceAgain();
            assertThat(MusterHome.announced(paths)).as("what somebody removed").contains(service);
            home.withdraw();
            home.announceAgain();
            assertThat(MusterHome.announced(paths)).isEmpty();
        }
    }

    /** Nothing new can be made, as on a full disk: what earlier services left is written over, whether they stopped well or died. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutRoomForAFileTheServiceIsAnnouncedAllTheSame(boolean stoppedWell) throws Exception {
        ServiceFile earlier =
                new ServiceFile(4_000_000, Instant.EPOCH, "http://127.0.0.1:55555", "/a/longer/file", "build");
        ServiceFile service = new ServiceFile(42, Instant.EPOCH, "http://127.0.0.1:1", "/t", "b");
        try (MusterHome home = MusterHome.take(folder.resolve("home")).orElseThrow()) {
            home.announce(earlier);
            if (stoppedWell) {
                home.withdraw();
            }
            Files.createDirectories(home.folder().resolve("service.json.new").resolve("in the way"));
            home.announce(service);
            assertThat(MusterHome.announced(home.paths())).contains(service);
            home.withdraw();
            assertThat(MusterHome.announced(home.paths())).isEmpty();
            home.announce(earlier);
            assertThat(MusterHome.announced(home.paths())).contains(earlier);
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
