package dev.muster.spec.form;

import dev.muster.spec.tree.Tree;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of things and of variables. */
public final class Names {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Pattern OBJECT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private Names() {}

    /** A DNS label (RFC 1123) of at most {@code longest} characters. */
    public static Form<String> label(int longest) {
        Pattern shape = Pattern.compile("[a-z0-9]([a-z0-9-]{0," + (longest - 2) + "}[a-z0-9])?");
        String rule = "must be a DNS label: 1 to " + longest
                + " lower-case letters a-z, digits or -, the first and last no -";
        return at -> Forms.shaped(shape, withLength(at, rule, longest), text -> mended(text, longest))
                .read(at);
    }

    private static String withLength(At at, String rule, int longest) {
        int length = at.tree() instanceof Tree.Scalar(String text, boolean ignored) ? text.length() : 0;
        return length > longest ? rule + " (this has " + length + ")" : rule;
    }

    /** The nearest label, where something of the text is left. */
    private static Optional<String> mended(String text, int longest) {
        String label = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        label = label.substring(0, Math.min(label.length(), longest)).replaceAll("^-+|-+$", "");
        return label.isEmpty() ? Optional.empty() : Optional.of(label);
    }

    /** A name of an environment variable as POSIX has it. */
    public static Form<String> variable() {
        return Forms.shaped(
                VARIABLE,
                "must be a variable's name: letters, digits and _, the first no digit",
                text -> Optional.of(text.replaceAll("[^A-Za-z0-9_]", "_")).filter(VARIABLE.asMatchPredicate()));
    }

    /** A name of a model and of other things that are kept. */
    public static Form<String> object() {
        return Forms.shaped(
                OBJECT, "must be a name of 1 to 63 letters, digits, . _ or -, with a letter or digit at both ends");
    }
}
