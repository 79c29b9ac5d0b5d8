package dev.muster.spec.job;

import dev.muster.model.FrameworkKind;
import dev.muster.spec.form.Form;
import dev.muster.spec.form.Forms;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A framework by its name. One that comes later is read: the framework itself says that it is not there yet. */
final class FrameworkForm {
    private FrameworkForm() {}

    static Form<FrameworkKind> framework() {
        Map<Boolean, List<FrameworkKind>> byLater =
                Arrays.stream(FrameworkKind.values()).collect(Collectors.partitioningBy(FrameworkForm::comesLater));
        return Forms.choice(byLater.get(false), byLater.get(true), FrameworkKind::text);
    }

    /** All that are there, for a person to choose from. */
    static String names() {
        return Arrays.stream(FrameworkKind.values())
                .filter(kind -> !comesLater(kind))
                .map(FrameworkKind::text)
                .collect(Collectors.joining(", "));
    }

    private static boolean comesLater(FrameworkKind kind) {
        return switch (kind) {
            case TENSORFLOW, PYTORCH, HOROVOD, MPI, JAX, XGBOOST, PLAIN -> false;
            case JVM -> true;
        };
    }
}
