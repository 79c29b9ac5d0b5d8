package dev.muster.spec.job;

import dev.muster.spec.form.At;
import dev.muster.spec.form.Block;
import dev.muster.spec.form.Bytes;
import dev.muster.spec.form.Field;
import dev.muster.spec.form.Form;
import dev.muster.spec.form.Forms;
import dev.muster.spec.form.Names;
import dev.muster.spec.form.Values;
import dev.muster.spec.tree.Tree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Variables and secrets of processes. Messages about them never show a value: it may be a secret in the wrong place. */
final class EnvFields {
    /** A variable of the submitter. */
    static final Field<String> SOURCE = new Field<>("env", Names.variable());

    private static final Form<Values> SECRET = at -> at.tree() instanceof Tree.Entries
            ? Block.of(SOURCE).read(at)
            : at.wrong(
                    "names the variable that holds the value when you submit; the value itself never stands here",
                    Optional.of("{env: NAME}"));

    private EnvFields() {}

    /** Values keep the spelling they have in the text. */
    static Form<Map<String, String>> variables() {
        return Forms.map(Names.variable(), EnvFields::value);
    }

    private static Optional<String> value(At at) {
        if (!(at.tree() instanceof Tree.Scalar(String text, boolean ignored))) {
            return at.wrong("must be a text, not " + at.tree().kind());
        }
        int name = at.path().length() - at.path().lastIndexOf('.');
        return name + Bytes.length(text) > Bytes.LONGEST
                ? at.wrong("is with its name longer than the " + Bytes.LONGEST + " bytes one variable can have")
                : Bytes.passable(at, text);
    }

    /** The submitter's variable by the processes' one. */
    static Form<Map<String, String>> secrets() {
        Form<Map<String, Values>> read = Forms.map(Names.variable(), SECRET);
        return at -> read.read(at).map(secrets -> {
            Map<String, String> sources = new LinkedHashMap<>();
            secrets.forEach((name, secret) -> {
                secret.require(SOURCE, "{env: NAME}");
                secret.get(SOURCE).ifPresent(source -> sources.put(name, source));
            });
            return sources;
        });
    }
}
