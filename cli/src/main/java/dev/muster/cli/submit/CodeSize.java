package dev.muster.cli.submit;

import dev.muster.cli.archive.CodeArchive;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Notes;
import dev.muster.cli.format.Counts;
import dev.muster.cli.format.Sizes;
import java.util.Map;
import java.util.stream.Collectors;

/** Says how much code is sent, and what to do when it is a lot. */
final class CodeSize {
    private static final long LARGE = 100L << 20;
    private static final long TOO_LARGE = 2L << 30;
    private static final int NAMED = 3;

    private CodeSize() {}

    static void check(String folder, CodeArchive archive, Notes notes) {
        if (!archive.skipped().isEmpty()) {
            notes.say("code " + folder + ": not sent, being neither file, folder nor link: "
                    + String.join(", ", archive.skipped()));
        }
        String size = "code " + folder + ": " + Counts.of(archive.files(), "file", "files") + ", "
                + Sizes.show(archive.bytes());
        String hint = "the largest are " + largest(archive)
                + "; name what training does not need in .musterignore, and give data by `data:`";
        if (archive.bytes() > TOO_LARGE) {
            throw Failure.badField(
                    "code",
                    "has " + Sizes.show(archive.bytes()) + ", and at most " + Sizes.show(TOO_LARGE) + " are sent",
                    hint);
        }
        notes.say(archive.bytes() > LARGE ? size + "; " + hint : size);
    }

    private static String largest(CodeArchive archive) {
        return archive.largest().stream()
                .limit(NAMED)
                .map((Map.Entry<String, Long> entry) -> entry.getKey() + " (" + Sizes.show(entry.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }
}
