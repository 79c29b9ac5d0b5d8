package dev.muster.telemetry;

import java.util.List;

/** Knows how programs say that there is no room left in shared memory, which containers have little of unless they ask for more. */
final class SharedMemory {
    private static final String FULL = "No space left on device";

    /** PyTorch's data loaders (torch/utils/data/_utils), which die of SIGBUS, and NCCL (misc/shmutils.cc). */
    private static final List<String> WORDS = List.of(
            "insufficient shared memory (shm)",
            "out of shared memory",
            "Error while creating shared memory segment /dev/shm/",
            "failed to extend /dev/shm/");

    /** Where it lies, and how PyTorch names its pieces of it. */
    private static final List<String> PLACES = List.of("/dev/shm", "</torch_");

    private SharedMemory() {}

    static boolean isToldFullIn(String text) {
        return WORDS.stream().anyMatch(text::contains)
                || text.contains(FULL) && text.lines().anyMatch(SharedMemory::isFullThere);
    }

    private static boolean isFullThere(String line) {
        return line.contains(FULL) && PLACES.stream().anyMatch(line::contains);
    }
}
