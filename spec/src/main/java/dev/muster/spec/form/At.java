package dev.muster.spec.form;

import dev.muster.model.Problem;
import dev.muster.spec.tree.Tree;
import java.util.Optional;

/**
 * A place in a job text that is being read.
 *
 * @param path    of the field, such as {@code restart.rules[0].exitCodes[1]}; empty for the whole
 * @param tree    what stands there
 * @param reading where problems go
 */
public record At(String path, Tree tree, Reading reading) {
    private static final int SHOWN = 60;

    public At field(String name, Tree inside) {
        return new At(path.isEmpty() ? name : path + "." + name, inside, reading);
    }

    public At item(int index, Tree inside) {
        return new At(path + "[" + index + "]", inside, reading);
    }

    /** Tells what is wrong here; empty, to be returned. */
    public <T> Optional<T> wrong(String message) {
        reading.problem(Problem.of(path, message));
        return Optional.empty();
    }

    /** Tells what is wrong here and what to write instead; empty, to be returned. */
    public <T> Optional<T> wrong(String message, Optional<String> suggestion) {
        reading.problem(new Problem(path, message, suggestion));
        return Optional.empty();
    }

    /** The scalar here, if it is one that says something; else told, with the rule. */
    public Optional<Tree.Scalar> scalar(String rule) {
        return tree instanceof Tree.Scalar scalar && !scalar.isNull()
                ? Optional.of(scalar)
                : wrong(rule + ", not " + tree.kind());
    }

    /** A text as it can be shown in a message: quoted, on one line, not long. */
    public static String shown(String text) {
        String line = text.codePoints()
                .limit(SHOWN)
                .map(each -> Character.isISOControl(each) || !Character.isDefined(each) ? '?' : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return "\"" + line + (line.length() < text.length() ? "..." : "") + "\"";
    }
}
