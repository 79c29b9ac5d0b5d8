package dev.muster.cli.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One line of an ignore file, with the meaning it has in gitignore(5).
 *
 * @param segments    globs between slashes; {@code **} stands for any number of folders
 * @param negated     takes back what earlier lines ignored
 * @param onlyFolders ends with a slash
 */
record IgnorePattern(List<String> segments, boolean negated, boolean onlyFolders) {
    private static final String ANY_FOLDERS = "**";

    IgnorePattern {
        segments = List.copyOf(segments);
    }

    /** The pattern of a line; empty for a comment or a blank line. */
    static Optional<IgnorePattern> parse(String line) {
        String text = withoutTrailingBlanks(line);
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        boolean negated = text.startsWith("!");
        text = negated ? text.substring(1) : text;
        boolean onlyFolders = text.endsWith("/");
        text = onlyFolders ? text.substring(0, text.length() - 1) : text;
        boolean anchored = text.indexOf('/') >= 0;
        List<String> segments = new ArrayList<>();
        if (!anchored) {
            segments.add(ANY_FOLDERS);
        }
        for (String segment : text.split("/")) {
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        boolean empty = segments.isEmpty() || !anchored && segments.size() == 1;
        return empty ? Optional.empty() : Optional.of(new IgnorePattern(segments, negated, onlyFolders));
    }

    private static String withoutTrailingBlanks(String line) {
        int end = line.length();
        while (end > 0
                && (line.charAt(end - 1) == ' ' || line.charAt(end - 1) == '\t' || line.charAt(end - 1) == '\r')) {
            if (end > 1 && line.charAt(end - 2) == '\\') {
                break;
            }
            end--;
        }
        return line.substring(0, end);
    }

    /** Whether it speaks about this path, given as its names from the folder down. */
    boolean matches(List<String> path, boolean isFolder) {
        return (isFolder || !onlyFolders) && matches(0, path, 0);
    }

    private boolean matches(int segment, List<String> path, int name) {
        if (segment == segments.size()) {
            return name == path.size();
        }
        if (segments.get(segment).equals(ANY_FOLDERS)) {
            // At the end it stands for everything inside, not for the folder itself.
            int first = segment == segments.size() - 1 ? name + 1 : name;
            for (int next = first; next <= path.size(); next++) {
                if (matches(segment + 1, path, next)) {
                    return true;
                }
            }
            return false;
        }
        return name < path.size()
                && Glob.matches(segments.get(segment), path.get(name))
                && matches(segment + 1, path, name + 1);
    }
}
