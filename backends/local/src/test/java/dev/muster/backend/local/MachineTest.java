package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
    @TempDir
    private Path folder;

    private Map<String, String> withNvidiaSmi(String script) throws Exception {
        Path program = folder.resolve("nvidia-smi");
        Files.writeString(program, "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return Map.of("PATH", "/nowhere:" + folder);
    }

    @Test
    void gpusAreThoseThatNvidiaSmiLists() throws Exception {
        Map<String, String> environment =
                withNvidiaSmi("[ \"$*\" = '--query-gpu=index --format=csv,noheader' ] && printf '0\\n1\\n'");
        assertThat(Machine.gpus(environment)).containsExactly("0", "1");
    }

    @Test
    void aDriverThatFailsMeansNoGpus() throws Exception {
        assertThat(Machine.gpus(withNvidiaSmi("echo 'No devices were found'; exit 6")))
                .isEmpty();
        assertThat(Machine.gpus(Map.of("PATH", "/nowhere"))).isEmpty();
    }

    @Test
    void declaredGpusGoFirstAndTheServiceSharesOnlyWhatItSees() throws Exception {
        Map<String, String> listed = withNvidiaSmi("printf '0\\n1\\n2\\n'");
        assertThat(Machine.gpus(Map.of("PATH", listed.get("PATH"), "MUSTER_GPUS", "7, 8,7")))
                .containsExactly("7", "8");
        assertThat(Machine.gpus(Map.of("PATH", listed.get("PATH"), "MUSTER_GPUS", "")))
                .isEmpty();
        assertThat(Machine.gpus(Map.of("PATH", listed.get("PATH"), "CUDA_VISIBLE_DEVICES", "2,0")))
                .containsExactly("0", "2");
        assertThat(Machine.gpus(Map.of("PATH", listed.get("PATH"), "CUDA_VISIBLE_DEVICES", "")))
                .isEmpty();
    }

    @Test
    void capacityIsAllCoresMostOfTheMemoryAndSomeProcesses() {
        Capacity capacity = Machine.capacity(List.of("0"));
        assertThat(capacity.processes()).isEqualTo(64);
        assertThat(capacity.milliCpus()).isEqualTo(Runtime.getRuntime().availableProcessors() * 1000L);
        assertThat(capacity.memoryBytes()).isBetween(100L << 20, 1L << 50);
        assertThat(capacity.gpus()).isEqualTo(1);
    }
}
