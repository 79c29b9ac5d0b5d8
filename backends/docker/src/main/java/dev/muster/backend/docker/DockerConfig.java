package dev.muster.backend.docker;

import dev.muster.model.Capacity;
import dev.muster.model.Problem;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How this backend is set up.
 *
 * @param folders       where the service keeps files of jobs
 * @param code          snapshots of training code
 * @param dockerHost    where dockerd listens, as DOCKER_HOST says it; empty for its usual socket
 * @param freshName     a name nobody else has, for an installation that has none yet
 * @param capacity      what jobs may use, given what dockerd tells of its machine
 * @param gpus          devices of dockerd's machine, by the ids that the NVIDIA runtime takes
 * @param mounts        folders of dockerd's machine that {@code docker.mounts} may name, themselves or what is below them
 * @param files         how files of processes get there and back
 * @param retryPause    the pause before a pull is tried again, doubled each time
 */
public record DockerConfig(
        JobFolders folders,
        CodeStore code,
        String dockerHost,
        Supplier<String> freshName,
        UnaryOperator<Capacity> capacity,
        List<String> gpus,
        List<Path> mounts,
        Files files,
        Duration retryPause) {
    private static final String DOCKER_HOST = "DOCKER_HOST";
    private static final String MOUNTS = "MUSTER_DOCKER_MOUNTS";
    private static final String FILES = "MUSTER_DOCKER_FILES";
    private static final String AUTO = "auto";
    private static final List<String> WAYS = List.of(AUTO, "mounted", "copied");

    public DockerConfig {
        gpus = List.copyOf(gpus);
        mounts = List.copyOf(mounts);
    }

    /** How files of processes get to a container and back. */
    public enum Files {
        /** Mounted where dockerd sees this machine's files, copied elsewhere. */
        AUTO,
        /** Mounted: dockerd sees this machine's files. */
        MOUNTED,
        /** Copied through dockerd's own API. */
        COPIED
    }

    /** What is wrong with the settings that {@link #of} reads. */
    public static List<Problem> check(Map<String, String> environment) {
        List<Problem> problems = new ArrayList<>();
        mounts(environment)
                .filter(text -> !text.startsWith("/"))
                .forEach(text -> problems.add(Problem.of(MOUNTS, text + " is no absolute path", "/data:/scratch")));
        String files = environment.getOrDefault(FILES, AUTO);
        if (!WAYS.contains(files)) {
            problems.add(Problem.of(FILES, "is auto, mounted or copied, not " + files, AUTO));
        }
        return problems;
    }

    private static Stream<String> mounts(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault(MOUNTS, "").split(":")).filter(text -> !text.isBlank());
    }

    /**
     * As the environment says: DOCKER_HOST, MUSTER_DOCKER_MOUNTS (folders, separated by colons), MUSTER_DOCKER_FILES (auto, mounted,
     * copied).
     */
    public static DockerConfig of(
            JobFolders folders, CodeStore code, Map<String, String> environment, Supplier<String> freshName) {
        List<Path> mounts = mounts(environment)
                .filter(text -> text.startsWith("/"))
                .map(Path::of)
                .toList();
        Files files = switch (environment.getOrDefault(FILES, AUTO)) {
            case "mounted" -> Files.MOUNTED;
            case "copied" -> Files.COPIED;
            default -> Files.AUTO;
        };
        return new DockerConfig(
                folders,
                code,
                environment.getOrDefault(DOCKER_HOST, ""),
                freshName,
                UnaryOperator.identity(),
                List.of(),
                mounts,
                files,
                Duration.ofSeconds(1));
    }

    /** The same with GPUs. */
    public DockerConfig withGpus(List<String> ids) {
        return new DockerConfig(folders, code, dockerHost, freshName, capacity, ids, mounts, files, retryPause);
    }

    /** The same with what jobs may use. */
    public DockerConfig withCapacity(UnaryOperator<Capacity> other) {
        return new DockerConfig(folders, code, dockerHost, freshName, other, gpus, mounts, files, retryPause);
    }
}
