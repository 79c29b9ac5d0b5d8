package dev.muster.server.failpoint;

import dev.muster.control.JobFiles;
import dev.muster.control.Ports;
import dev.muster.server.config.SettingException;
import dev.muster.spi.Backend;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import dev.muster.spi.ModelRegistry;
import dev.muster.spi.PythonEnvironments;
import dev.muster.spi.Telemetry;
import dev.muster.store.CommitHook;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Named moments before and after every effect and every commit, for {@code testbed/chaos} and {@code benchmarks/control}. {@code MUSTER_FAILPOINT} says
 * what happens there; without it the parts stay as they are and nothing is called.
 *
 * <ul>
 *   <li>{@code halt:NAME}: the process ends at the first passing of that moment as by kill -9; {@code halt:NAME#3} at the third
 *   <li>{@code record:FILE}: each passing appends its name to the file, as a line
 *   <li>{@code slow:MILLIS}: each commit takes so much longer
 * </ul>
 *
 * <p>A name is {@code Port.method.before} or {@code .after}, with what tells calls of one method apart between: {@code Backend.stop.ASK.before}, {@code
 * JobStore.compareAndSet.Running.after}; or {@code commit.before}, {@code commit.after}.
 */
public abstract sealed class Failpoints permits Failpoints.Off, Failpoints.On {
    private static final String VARIABLE = "MUSTER_FAILPOINT";

    private Failpoints() {}

    /**
     * What the environment asks for.
     *
     * @throws SettingException when it asks for something unknown
     */
    public static Failpoints of(Map<String, String> environment) throws SettingException {
        String text = environment.getOrDefault(VARIABLE, "");
        if (text.isEmpty()) {
            return new Off();
        }
        return new On(Moments.read(text)
                .orElseThrow(() -> new SettingException(VARIABLE
                        + " is halt:NAME, halt:NAME#COUNT, record:FILE or slow:MILLIS, not \"" + text + "\"")));
    }

    public abstract CommitHook commits();

    public abstract Ports around(Ports ports);

    public abstract JobFiles around(JobFiles files);

    /** Nothing stands between the parts. */
    private static final class Off extends Failpoints {
        @Override
        public CommitHook commits() {
            return CommitHook.NONE;
        }

        @Override
        public Ports around(Ports ports) {
            return ports;
        }

        @Override
        public JobFiles around(JobFiles files) {
            return files;
        }
    }

    private static final class On extends Failpoints {
        private final Moments moments;

        On(Moments moments) {
            this.moments = moments;
        }

        @Override
        public CommitHook commits() {
            return moments;
        }

        @Override
        public Ports around(Ports ports) {
            return new Ports(
                    Watched.of(JobStore.class, ports.store(), moments),
                    ports.backends().entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey,
                                    backend -> Watched.of(Backend.class, backend.getValue(), moments))),
                    ports.frameworks(),
                    Watched.of(PythonEnvironments.class, ports.environments(), moments),
                    Watched.of(CheckpointCatalogue.class, ports.checkpoints(), moments),
                    Watched.of(ModelRegistry.class, ports.models(), moments),
                    Watched.of(Telemetry.class, ports.telemetry(), moments));
        }

        @Override
        public JobFiles around(JobFiles files) {
            return Watched.of(JobFiles.class, files, moments);
        }
    }
}
