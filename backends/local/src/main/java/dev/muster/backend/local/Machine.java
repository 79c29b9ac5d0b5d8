package dev.muster.backend.local;

import dev.muster.model.Capacity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What this machine has. */
final class Machine {
    /** Processes of jobs at once, unless told otherwise. */
    static final int PROCESSES = 64;

    private static final double MEMORY_FOR_JOBS = 0.9;
    private static final long SECONDS_FOR_NVIDIA_SMI = 20;

    private Machine() {}

    /** All cores, 90 % of the memory (of a container its own), 64 processes and these GPUs. */
    static Capacity capacity(List<String> gpus) {
        return new Capacity(
                PROCESSES,
                Runtime.getRuntime().availableProcessors() * 1000L,
                (long) (Math.min(
                                memoryBytes(),
                                CgroupDetection.ofThisMachine().memoryLimit().orElse(Long.MAX_VALUE))
                        * MEMORY_FOR_JOBS),
                gpus.size());
    }

    private static long memoryBytes() {
        try {
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith("MemTotal:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException without) {
            return 0;
        }
    }

    /**
     * The GPUs, as CUDA_VISIBLE_DEVICES names them: those that MUSTER_GPUS declares, else those nvidia-smi lists, as far as the
     * service's own CUDA_VISIBLE_DEVICES leaves them to it.
     *
     * @param environment the service's
     */
    static List<String> gpus(Map<String, String> environment) {
        String declared = environment.get("MUSTER_GPUS");
        if (declared != null) {
            return words(declared.split(","));
        }
        Optional<Path> program =
                new Programs(environment.getOrDefault("PATH", Programs.SYSTEM_PATH)).find("nvidia-smi");
        List<String> listed = program.map(Machine::listed).orElse(List.of());
        String visible = environment.get("CUDA_VISIBLE_DEVICES");
        return visible == null
                ? listed
                : listed.stream().filter(words(visible.split(","))::contains).toList();
    }

    private static List<String> listed(Path nvidiaSmi) {
        try {
            Process process = new ProcessBuilder(nvidiaSmi.toString(), "--query-gpu=index", "--format=csv,noheader")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_FOR_NVIDIA_SMI, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.exitValue() == 0 ? words(lines.split("\n")) : List.of();
        } catch (IOException cannotRun) {
            return List.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static List<String> words(String[] words) {
        return Arrays.stream(words)
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }
}
