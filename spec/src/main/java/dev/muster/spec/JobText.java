package dev.muster.spec;

import dev.muster.model.FrameworkKind;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Reading;
import dev.muster.spec.form.Values;
import dev.muster.spec.job.Draft;
import dev.muster.spec.job.JobAssembly;
import dev.muster.spec.job.JobFields;
import dev.muster.spec.job.JobRules;
import dev.muster.spec.tree.Tree;
import dev.muster.spec.tree.TreeReader;
import dev.muster.spi.Framework;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads job text (YAML 1.2 or JSON, see CONTRACT section 1). Pure; any thread may call; no text makes it throw. */
public final class JobText {
    private JobText() {}

    /**
     * Reads a job and tells every problem in it. What only a backend can judge is for the caller to add.
     *
     * @param text       the job text
     * @param sets       {@code path=value} of each {@code --set}, applied in order
     * @param frameworks the framework of a kind
     */
    public static Parsed parse(String text, List<String> sets, Function<FrameworkKind, Framework> frameworks) {
        return parse(text, (root, reading) -> Settings.apply(sets, root, reading::problem), frameworks);
    }

    /**
     * Reads what {@link SpecWriter} wrote, with changes. There {@code workers} stands as {@code roles.worker.count}, so that a change may
     * name either.
     */
    public static Parsed change(String stored, List<String> sets, Function<FrameworkKind, Framework> frameworks) {
        return parse(stored, (root, reading) -> Settings.applyToStored(sets, root, reading::problem), frameworks);
    }

    private static Parsed parse(
            String text, BiFunction<Tree, Reading, Tree> settings, Function<FrameworkKind, Framework> frameworks) {
        Reading reading = new Reading(JobFields.VOCABULARY);
        Optional<Tree> tree = TreeReader.read(text, reading::problem).map(root -> settings.apply(root, reading));
        Optional<Values> fields = tree.flatMap(root -> JobFields.BLOCK.read(new At("", root, reading)));
        Optional<Draft> draft = fields.map(JobAssembly::draft);
        draft.ifPresent(job -> JobRules.check(job, frameworks, reading));
        return new Parsed(draft.map(Draft::spec), reading.problems());
    }
}
