package dev.muster.artifacts.python;

import dev.muster.model.Amount;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns a line of pip's output into a line of progress for a person; most lines are none. */
final class PipProgress {
    private static final Pattern COLLECTING = Pattern.compile("Collecting (\\S+).*");
    private static final Pattern DOWNLOADING =
            Pattern.compile("\\s*Downloading (?:\\S*/)?([^/\\s]+)(?: \\(([^)]*)\\))?.*");
    private static final Pattern BUILDING = Pattern.compile("\\s*Building wheel for (\\S+).*: started");
    private static final Pattern INSTALLING = Pattern.compile("Installing collected packages: (.*)");
    private static final int NAMED = 6;

    private PipProgress() {}

    static Optional<String> of(String line) {
        Matcher installing = INSTALLING.matcher(line);
        if (installing.matches()) {
            List<String> packages = List.of(installing.group(1).strip().split(", *"));
            String names = String.join(", ", packages.subList(0, Math.min(NAMED, packages.size())));
            return Optional.of("installing " + Amount.of(packages.size(), "package", "packages") + ": " + names
                    + (packages.size() > NAMED ? ", ..." : ""));
        }
        Matcher downloading = DOWNLOADING.matcher(line);
        if (downloading.matches()) {
            return Optional.of("downloading " + downloading.group(1)
                    + (downloading.group(2) == null ? "" : " (" + downloading.group(2) + ")"));
        }
        Matcher building = BUILDING.matcher(line);
        if (building.matches()) {
            return Optional.of("building " + building.group(1));
        }
        Matcher collecting = COLLECTING.matcher(line);
        return collecting.matches() ? Optional.of("collecting " + collecting.group(1)) : Optional.empty();
    }
}
