package dev.muster.spec.job;

import dev.muster.model.Resources;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Sizes;
import dev.muster.spec.form.Values;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** {@code resources} of one worker. */
final class ResourceFields {
    static final Field<Integer> CPUS = new Field<>("cpus", Sizes.milliCpus());
    static final Field<Long> MEMORY = new Field<>("memory", Sizes.bytes());
    static final Field<Integer> GPUS = new Field<>("gpus", Forms.whole(0, 1024));
    static final Block BLOCK = Block.of(CPUS, MEMORY, GPUS);

    private ResourceFields() {}

    /** A role's resources over its job's, field by field; a role may ask for 0 GPUs where its job asks for some. */
    static Resources merged(Optional<Values> role, Optional<Values> job) {
        Optional<Integer> cpus = over(role, job, CPUS);
        Optional<Long> memory = over(role, job, MEMORY);
        return new Resources(
                cpus.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                memory.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                over(role, job, GPUS).map(OptionalInt::of).orElseGet(OptionalInt::empty));
    }

    private static <T> Optional<T> over(Optional<Values> role, Optional<Values> job, Field<T> field) {
        return role.flatMap(values -> values.get(field)).or(() -> job.flatMap(values -> values.get(field)));
    }
}
