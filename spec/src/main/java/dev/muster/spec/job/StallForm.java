package dev.muster.spec.job;

import dev.muster.model.StallTimeout;
import dev.muster.spec.form.Durations;
import dev.muster.spec.form.Form;
import java.time.Duration;
import java.util.Optional;

/** {@code stallTimeout}: a duration, or {@code auto}. */
final class StallForm {
    private static final String AUTO = "auto";
    private static final String RULE = "must be a duration of more than 0, such as 10m, or auto";
    private static final Form<Duration> DURATION = Durations.positive(RULE);

    static final Form<StallTimeout> FORM = at -> at.scalar(RULE)
            .flatMap(scalar -> scalar.text().equals(AUTO)
                    ? Optional.of(new StallTimeout.Auto())
                    : DURATION.read(at).map(StallTimeout.After::new));

    private StallForm() {}

    static String write(StallTimeout timeout) {
        return switch (timeout) {
            case StallTimeout.After after -> Durations.write(after.bound());
            case StallTimeout.Auto ignored -> AUTO;
        };
    }
}
