package dev.muster.spec.job;

import dev.muster.model.FrameworkKind;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Reading;
import dev.muster.spi.Framework;
import java.util.Optional;
import java.util.function.Function;

/** Every rule that takes more than one field to break. */
public final class JobRules {
    private JobRules() {}

    /**
     * Tells what rules a job breaks, its framework's own included.
     *
     * @param frameworks the framework of a kind
     */
    public static void check(Draft draft, Function<FrameworkKind, Framework> frameworks, Reading reading) {
        Optional<Framework> framework = draft.framework().map(frameworks);
        GroupRules.check(draft, framework);
        VariableRules.check(draft, framework);
        draft.framework().ifPresent(kind -> {
            belongs(draft, JobFields.TENSORFLOW, FrameworkKind.TENSORFLOW, kind);
            belongs(draft, JobFields.PYTORCH, FrameworkKind.PYTORCH, kind);
        });
        framework.ifPresent(known -> known.check(draft.spec()).forEach(reading::problem));
    }

    private static void belongs(Draft draft, Field<?> block, FrameworkKind owner, FrameworkKind kind) {
        if (draft.job().has(block) && kind != owner) {
            draft.job()
                    .at(block)
                    .wrong(
                            "is for jobs of framework " + owner.text() + ", this one is of " + kind.text(),
                            Optional.of("remove it"));
        }
    }
}
