package dev.muster.control;

import dev.muster.model.Progress;
import dev.muster.spi.Telemetry.Signs;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** What processes say, for tests. */
final class Said {
    private Said() {}

    static Signs step(long step) {
        return new Signs(Set.of(), Map.of(), progress(step), 0, List.of());
    }

    static Signs checkpoints(String... names) {
        return new Signs(Set.of(), Map.of(), Progress.NONE, 0, List.of(names));
    }

    /** At that step of 1000, with ten steps a second. */
    static Progress progress(long step) {
        return new Progress(
                OptionalLong.of(step),
                OptionalLong.of(1000),
                OptionalDouble.empty(),
                Map.of("loss", 0.5),
                OptionalDouble.of((1000 - step) / 10.0));
    }
}
