package dev.muster.spec;

import dev.muster.model.Problem;
import dev.muster.spec.tree.Setting;
import dev.muster.spec.tree.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The {@code --set} options of one command. {@code workers} and {@code roles.worker.count} are the same thing, so a setting may name
 * either whichever of them the text has.
 */
final class Settings {
    private static final String WORKERS = "workers";
    private static final String ROLES = "roles";

    private Settings() {}

    static Tree apply(List<String> sets, Tree root, Consumer<Problem> problems) {
        Tree tree = root;
        for (String set : sets) {
            Optional<Setting> setting = Setting.parse(set, problems);
            if (setting.isPresent()) {
                tree = apply(setting.get(), tree, problems);
            }
        }
        return tree;
    }

    private static Tree apply(Setting setting, Tree tree, Consumer<Problem> problems) {
        if (!(tree instanceof Tree.Entries(Map<String, Tree> fields))) {
            return setting.applyTo(tree, problems);
        }
        if (setting.path().equals(WORKERS) && fields.containsKey(ROLES) && !fields.containsKey(WORKERS)) {
            return new Setting("roles.worker.count", setting.value()).applyTo(tree, problems);
        }
        boolean ofRoles = setting.path().equals(ROLES) || setting.path().startsWith(ROLES + ".");
        if (ofRoles && fields.containsKey(WORKERS) && !fields.containsKey(ROLES)) {
            Map<String, Tree> written = new LinkedHashMap<>(fields);
            Tree count = written.remove(WORKERS);
            written.put(ROLES, new Tree.Entries(Map.of("worker", new Tree.Entries(Map.of("count", count)))));
            return setting.applyTo(new Tree.Entries(written), problems);
        }
        return setting.applyTo(tree, problems);
    }
}
