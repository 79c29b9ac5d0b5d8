package dev.muster.spec.job;

import dev.muster.model.Command;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Bytes;
import dev.muster.spec.form.Form;
import dev.muster.spec.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command: a list of words that are passed as they are, or a text for a shell. Words keep their spelling, numbers too. */
final class Commands {
    private static final String EXAMPLE = "[python, train.py]";

    private Commands() {}

    static Form<Command> command() {
        return at -> switch (at.tree()) {
            case Tree.Scalar(String script, boolean ignored) ->
                script.isBlank()
                        ? at.wrong("must not be empty", Optional.of(EXAMPLE))
                        : Bytes.passable(at, script).map(Command.Shell::new);
            case Tree.Items(List<Tree> words) -> exec(at, words);
            case Tree.Entries ignored ->
                at.wrong("must be a list of words or a text for a shell", Optional.of(EXAMPLE));
        };
    }

    private static Optional<Command> exec(At at, List<Tree> words) {
        List<String> argv = new ArrayList<>();
        for (int index = 0; index < words.size(); index++) {
            At word = at.item(index, words.get(index));
            if (!(word.tree() instanceof Tree.Scalar scalar)) {
                return word.wrong("must be a word, not " + word.tree().kind());
            }
            if (scalar.plain() && scalar.text().isEmpty()) {
                return word.wrong("must be a word; an empty word stands in quotes", Optional.of("\"\""));
            }
            Bytes.passable(word, scalar.text()).ifPresent(argv::add);
        }
        if (argv.size() < words.size()) {
            return Optional.empty();
        }
        return argv.isEmpty() || argv.getFirst().isBlank()
                ? at.wrong("must start with a program", Optional.of(EXAMPLE))
                : Optional.of(new Command.Exec(argv));
    }
}
