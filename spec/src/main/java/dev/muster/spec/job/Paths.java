package dev.muster.spec.job;

import dev.muster.model.Nearest;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Form;
import dev.muster.spec.form.Forms;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Paths, and the other places data can be in. */
final class Paths {
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");
    private static final List<String> SCHEMES = List.of("s3", "http", "https");
    private static final Pattern PLACE = Pattern.compile("[a-z0-9]+://[^/\\s]+(/\\S*)?");
    private static final Pattern DATASET =
            Pattern.compile("dataset:[A-Za-z0-9][A-Za-z0-9._-]{0,62}(@[A-Za-z0-9][A-Za-z0-9:._-]{0,127})?");

    private Paths() {}

    /** A path as the operating system takes it, relative ones from the folder of the job file. */
    static Form<String> path() {
        return at -> Forms.text()
                .read(at)
                .flatMap(path -> path.startsWith("~")
                        ? at.wrong("must be a path; ~ is not expanded", Optional.of("the whole path"))
                        : Optional.of(path));
    }

    /** A path, {@code s3://}, {@code http(s)://} or {@code dataset:NAME[@VERSION]}. */
    static Form<String> data() {
        return at -> Forms.text().read(at).flatMap(place -> {
            var scheme = SCHEME.matcher(place);
            if (scheme.matches()) {
                return remote(at, place, scheme.group(1));
            }
            if (place.startsWith("dataset:")) {
                return DATASET.matcher(place).matches()
                        ? Optional.of(place)
                        : at.wrong("names a dataset as dataset:NAME or dataset:NAME@VERSION, not " + At.shown(place));
            }
            return path().read(at);
        });
    }

    private static Optional<String> remote(At at, String place, String scheme) {
        String rule = "must be a path, s3://, http://, https:// or dataset:NAME[@VERSION]";
        if (!SCHEMES.contains(scheme)) {
            return at.wrong(
                    rule + ", not " + scheme + "://",
                    Nearest.to(scheme, SCHEMES).map(near -> near + "://"));
        }
        return PLACE.matcher(place).matches() ? Optional.of(place) : at.wrong(rule + ", not " + At.shown(place));
    }

    /** Names of data become part of a variable's name. */
    static Form<String> dataName() {
        return at -> Forms.text().read(at).flatMap(name -> {
            boolean legal = name.length() <= 63
                    && name.chars().noneMatch(Character::isISOControl)
                    && name.chars().anyMatch(each -> each < 128 && Character.isLetterOrDigit(each));
            return legal
                    ? Optional.of(name)
                    : at.wrong("must be a name of at most 63 characters, at least one of them a letter a-z or a digit");
        });
    }
}
