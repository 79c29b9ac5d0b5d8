package dev.muster.spec.job;

import dev.muster.model.Command;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Values;
import java.util.Map;

/** One of {@code roles}: its count, and what it has of its own instead of the job's. */
final class RoleFields {
    static final int MOST = 10_000;

    static final Field<Integer> COUNT = new Field<>("count", Forms.whole(1, MOST));
    static final Field<Boolean> SIDECAR = new Field<>("sidecar", Forms.truth());
    static final Field<Command> COMMAND = new Field<>("command", Commands.command());
    static final Field<Map<String, String>> ENV = new Field<>("env", EnvFields.variables());
    static final Field<Values> RESOURCES = new Field<>("resources", ResourceFields.BLOCK);
    static final Field<Values> ENVIRONMENT = new Field<>("environment", EnvironmentFields.BLOCK);
    static final Block BLOCK = Block.of(COUNT, SIDECAR, COMMAND, ENV, RESOURCES, ENVIRONMENT);

    private RoleFields() {}
}
