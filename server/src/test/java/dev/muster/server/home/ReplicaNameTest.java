package dev.muster.server.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplicaNameTest {
    @TempDir
    Path one;

    @TempDir
    Path other;

    @Test
    void aHomeKeepsItsNameAndNoOtherHasIt() throws Exception {
        String name = ReplicaName.of(one, "gpu-1");
        assertThat(name).matches("gpu-1-[0-9a-f]{12}");
        assertThat(ReplicaName.of(one, "renamed")).isEqualTo(name);
        assertThat(ReplicaName.of(other, "gpu-1")).isNotEqualTo(name);
        Files.writeString(one.resolve("replica"), "");
        assertThat(ReplicaName.of(one, "gpu-1")).isNotEmpty().isNotEqualTo(name);
    }
}
