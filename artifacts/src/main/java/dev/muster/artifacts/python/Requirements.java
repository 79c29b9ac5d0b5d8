package dev.muster.artifacts.python;

import dev.muster.artifacts.files.Sha256;
import dev.muster.model.Origin;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requirements of a job in pip's form, as they were sent. An environment is shared by all jobs that ask for the same, so whatever
 * decides its content must be known: other requirement and constraint files are taken only when they were sent too, archives only by
 * absolute path (their bytes count), and folders, editable ones included, not at all.
 *
 * @param main  name of the first file
 * @param files content of every file that is used, by name
 * @param bytes SHA-256 of every archive named by path
 */
record Requirements(String main, Map<String, String> files, Map<String, String> bytes) {
    private static final Pattern OPTION = Pattern.compile("(-[a-z]|--[a-z-]+)(?:\\s*=\\s*|\\s+|(?<=^-[a-z]))(.*)");
    private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*$");
    private static final Pattern REMOTE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://.*");
    private static final Pattern VERSIONED = Pattern.compile("(git|hg|svn|bzr)\\+.*");
    private static final Pattern ARCHIVE =
            Pattern.compile(".*\\.(whl|zip|tar\\.gz|tgz|tar\\.bz2|tbz|tar\\.xz|txz|tar)");
    private static final Pattern DIRECT = Pattern.compile("[A-Za-z0-9._-]+\\s*(?:\\[[^]]*])?\\s*@\\s*(\\S.*)");

    Requirements {
        files = new TreeMap<>(files);
        bytes = new TreeMap<>(bytes);
    }

    /** Reads the named file and what it includes. */
    static Requirements of(String main, Origin origin) throws EnvironmentException {
        Reading reading = new Reading(origin);
        reading.file(main, "environment.python.requirements");
        return new Requirements(main, reading.files, reading.bytes);
    }

    /** Number of lines that ask for a package, for people. */
    long count() {
        return files.values().stream()
                .flatMap(text -> logicalLines(text).values().stream())
                .filter(line -> !line.startsWith("-"))
                .count();
    }

    /** Lines without comments, continued ones joined, by the number of their first line. */
    private static Map<Integer, String> logicalLines(String text) {
        Map<Integer, String> lines = new LinkedHashMap<>();
        StringBuilder joined = new StringBuilder();
        int number = 0;
        int first = 1;
        for (String line : text.split("\\R", -1)) {
            number++;
            if (joined.isEmpty()) {
                first = number;
            }
            if (line.endsWith("\\") && !line.strip().startsWith("#")) {
                joined.append(line, 0, line.length() - 1);
                continue;
            }
            String whole = COMMENT.matcher(joined.append(line)).replaceAll("").strip();
            joined.setLength(0);
            if (!whole.isEmpty()) {
                lines.put(first, whole);
            }
        }
        return lines;
    }

    /** One walk through the files. */
    private static final class Reading {
        private final Origin origin;
        private final Map<String, String> files = new TreeMap<>();
        private final Map<String, String> bytes = new TreeMap<>();

        Reading(Origin origin) {
            this.origin = origin;
        }

        void file(String name, String where) throws EnvironmentException {
            String text = origin.requirements().get(name);
            if (text == null) {
                throw new EnvironmentException(where + ": the file " + name
                        + " was not sent with the job; write its lines into the requirements file itself");
            }
            if (files.put(name, text) != null) {
                return;
            }
            for (Map.Entry<Integer, String> line : logicalLines(text).entrySet()) {
                line(name, name + " line " + line.getKey(), line.getValue());
            }
        }

        private void line(String file, String where, String line) throws EnvironmentException {
            Matcher option = OPTION.matcher(line);
            if (!option.matches()) {
                if (!line.startsWith("-")) {
                    requirement(where, withoutOptions(line));
                }
                return;
            }
            String value = unquoted(option.group(2));
            switch (option.group(1)) {
                case "-r", "--requirement", "-c", "--constraint" -> include(file, where, value);
                case "-e", "--editable" -> {
                    if (!VERSIONED.matcher(value).matches()) {
                        throw folder(where, line);
                    }
                }
                case "-f", "--find-links" -> {
                    if (!REMOTE.matcher(value).matches() && !value.startsWith("/")) {
                        throw new EnvironmentException(
                                where + ": " + line
                                        + " names a folder beside the requirements file, which was not sent; write its absolute path");
                    }
                }
                default -> {
                    // Settings of pip, such as an index.
                }
            }
        }

        private void include(String file, String where, String value) throws EnvironmentException {
            if (REMOTE.matcher(value).matches() && !value.startsWith("file:")) {
                return;
            }
            Path parent = Path.of(file).getParent();
            Path name = parent == null ? Path.of(value) : parent.resolve(value);
            file(name.normalize().toString(), where);
        }

        private void requirement(String where, String line) throws EnvironmentException {
            Matcher direct = DIRECT.matcher(line);
            String place =
                    direct.matches() ? direct.group(1).split("\\s+;")[0].strip() : line.split("\\s+;|\\[")[0].strip();
            if (place.startsWith("file:")) {
                place = place.replaceFirst("^file:(//(localhost)?)?", "");
            } else if (REMOTE.matcher(place).matches()
                    || VERSIONED.matcher(place).matches()) {
                return;
            }
            boolean isPath = direct.matches()
                    || place.startsWith(".")
                    || place.startsWith("/")
                    || place.contains("/")
                    || ARCHIVE.matcher(place).matches();
            if (isPath) {
                archive(where, line, place.replaceFirst("#.*$", ""));
            }
        }

        private void archive(String where, String line, String place) throws EnvironmentException {
            if (!ARCHIVE.matcher(place).matches()) {
                throw folder(where, line);
            }
            if (!place.startsWith("/")) {
                throw new EnvironmentException(where + ": " + line
                        + " is a file beside the requirements file, which was not sent; write its absolute path");
            }
            try {
                bytes.put(place, Sha256.of(Path.of(place)));
            } catch (IOException unreadable) {
                throw new EnvironmentException(where + ": there is no readable file " + place, unreadable);
            }
        }

        private static EnvironmentException folder(String where, String line) {
            return new EnvironmentException(where + ": " + line
                    + " asks for a folder, whose content an environment shared by several jobs cannot follow;"
                    + " leave your own code in `code`, or build a wheel of it and write the wheel's absolute path");
        }

        private static String withoutOptions(String line) {
            return line.split("\\s--?[a-z]")[0].strip();
        }

        private static String unquoted(String value) {
            String text = value.strip();
            boolean quoted = text.length() > 1
                    && (text.startsWith("\"") || text.startsWith("'"))
                    && text.charAt(0) == text.charAt(text.length() - 1);
            return quoted ? text.substring(1, text.length() - 1) : text;
        }
    }

    /** All that decides the content of the environment, as one text. What the first file is called does not. */
    String canonical() {
        List<String> parts = new ArrayList<>(List.of("main", files.get(main)));
        files.forEach((name, text) -> parts.addAll(name.equals(main) ? List.of() : List.of("file", name, text)));
        bytes.forEach((name, hash) -> parts.addAll(List.of("bytes", name, hash)));
        StringBuilder canonical = new StringBuilder();
        parts.forEach(part -> canonical.append(part.length()).append(':').append(part));
        return canonical.toString();
    }

    static Optional<Requirements> of(Optional<String> main, Origin origin) throws EnvironmentException {
        return main.isPresent() ? Optional.of(of(main.get(), origin)) : Optional.empty();
    }
}
