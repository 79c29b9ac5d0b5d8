package dev.muster.spec.job;

import dev.muster.model.EnvironmentSpec;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Values;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code environment}: the software around the code. */
final class EnvironmentFields {
    private static final Pattern FOLLOWS_UP = Pattern.compile("(^|.*/)\\.\\.(/.*|$)");
    /** As registries have it: a host, which alone may have capitals, then a name, a tag, a digest. */
    private static final Pattern IMAGE = Pattern.compile("(?=.{1,255}$)"
            + "(?:(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::[0-9]+)?/)?"
            + "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*"
            + "(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@[A-Za-z0-9+._-]+:[0-9A-Fa-f]+)?");

    private static final Pattern PROGRAM = Pattern.compile("[^/\\s\\p{Cntrl}]+|/[^\\p{Cntrl}]+");

    static final Field<String> REQUIREMENTS = new Field<>(
            "requirements",
            at -> Paths.path()
                    .read(at)
                    .flatMap(path -> FOLLOWS_UP.matcher(path).matches() && !path.startsWith("/")
                            ? at.wrong("must stay inside the folder of the job file, or is an absolute path")
                            : Optional.of(path)));
    static final Field<String> INTERPRETER = new Field<>(
            "interpreter", Forms.shaped(PROGRAM, "must be the name of a program on PATH or an absolute path"));
    static final Field<Boolean> SYSTEM_PACKAGES = new Field<>("systemPackages", Forms.truth());
    static final Field<Values> PYTHON = new Field<>("python", Block.of(REQUIREMENTS, INTERPRETER, SYSTEM_PACKAGES));
    static final Field<String> IMAGE_NAME = new Field<>(
            "image",
            Forms.shaped(
                    IMAGE,
                    "must be the name of a container image such as registry/name:tag, in lower case but for the tag"));
    static final Block BLOCK = Block.of(PYTHON, IMAGE_NAME);

    private EnvironmentFields() {}

    static EnvironmentSpec environment(Values values) {
        return new EnvironmentSpec(
                values.get(PYTHON)
                        .map(python -> new EnvironmentSpec.Python(
                                python.get(REQUIREMENTS), python.get(INTERPRETER), python.get(SYSTEM_PACKAGES, false))),
                values.get(IMAGE_NAME));
    }
}
