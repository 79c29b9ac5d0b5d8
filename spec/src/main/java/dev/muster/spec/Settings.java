package dev.muster.spec;

import dev.muster.model.Problem;
import dev.muster.spec.tree.Setting;
import dev.muster.spec.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The {@code --set} options of one command, applied in order. */
final class Settings {
    private static final String WORKERS = "workers";
    private static final String COUNT = "roles.worker.count";

    private Settings() {}

    /** To the text of a user, where each setting means what it would mean if it stood there. */
    static Tree apply(List<String> sets, Tree root, Consumer<Problem> problems) {
        return apply(sets, root, problems, UnaryOperator.identity());
    }

    /** To a stored specification, which has the count of workers in the role whichever way the user wrote it. */
    static Tree applyToStored(List<String> sets, Tree root, Consumer<Problem> problems) {
        return apply(
                sets,
                root,
                problems,
                setting -> setting.path().equals(WORKERS) ? new Setting(COUNT, setting.value()) : setting);
    }

    private static Tree apply(
            List<String> sets, Tree root, Consumer<Problem> problems, UnaryOperator<Setting> meaning) {
        Tree tree = root;
        for (String set : sets) {
            Optional<Setting> setting = Setting.parse(set, problems).map(meaning);
            if (setting.isPresent()) {
                tree = setting.get().applyTo(tree, problems);
            }
        }
        return tree;
    }
}
