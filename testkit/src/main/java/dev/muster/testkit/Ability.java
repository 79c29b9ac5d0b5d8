package dev.muster.testkit;

import dev.muster.model.Options;
import dev.muster.model.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a job may ask for that not every backend can do. One that cannot refuses it, naming the field: {@link BackendTck} sees to it. */
public enum Ability {
    /** A process is limited in memory. */
    MEMORY_LIMIT("resources.memory"),
    /** A process is limited in processor time. */
    CPU_LIMIT("resources.cpus"),
    /** The job text has a {@code docker} block. */
    DOCKER_BLOCK("docker"),
    /** The job text has a {@code kubernetes} block. */
    KUBERNETES_BLOCK("kubernetes"),
    /** The job text has a {@code network} block. */
    NETWORK_BLOCK("network"),
    /** Data comes from a web server. */
    REMOTE_DATA("data.images"),
    /** The number of workers changes while the job runs. */
    ELASTIC("elastic"),
    /** A process is held ready to take a lost one's place. */
    STANDBY("standby");

    private final String field;

    Ability(String field) {
        this.field = field;
    }

    /** The field a refusal names. */
    public String field() {
        return field;
    }

    /** The job with this asked for, in a way that nothing else is wrong with. */
    public TrialJob asked(TrialJob job) {
        return switch (this) {
            case MEMORY_LIMIT -> job.withResources(new Resources(OptionalInt.empty(), OptionalLong.of(256L << 20), 0));
            case CPU_LIMIT -> job.withResources(new Resources(OptionalInt.of(500), OptionalLong.empty(), 0));
            case DOCKER_BLOCK ->
                job.withOptions(options(
                        Optional.empty(),
                        Optional.of(new Options.Docker(OptionalLong.of(64L << 20), List.of(), Optional.empty())),
                        Optional.empty()));
            case KUBERNETES_BLOCK ->
                job.withOptions(options(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Map.of("nodeSelector", Map.of("disk", "ssd")))));
            case NETWORK_BLOCK ->
                job.withOptions(options(
                        Optional.of(new Options.Network(Optional.of("eth0"), false, Optional.empty())),
                        Optional.empty(),
                        Optional.empty()));
            case STANDBY -> job.withArgv("python3", "train.py").withStandby(1);
            case ELASTIC -> job.withElastic(1, 2);
            case REMOTE_DATA -> job.withData(Map.of("images", "https://data.example/images"));
        };
    }

    private static Options options(
            Optional<Options.Network> network,
            Optional<Options.Docker> docker,
            Optional<Map<String, Object>> kubernetes) {
        return new Options(false, false, false, Options.DEFAULT.localAddress(), network, docker, kubernetes);
    }
}
