package dev.muster.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads docs/acceptance.md and tells where what it says does not hold. A row is {@code | A12 | what it asks | `module/Class#method`, ... |};
 * instead of tests it may say {@code open: why}. A test that is no Java test is a script: {@code `testbed/script#case`}, where the
 * case's name stands in the script or in a file beside it.
 */
final class Acceptance {
    private static final Pattern ROW = Pattern.compile("^\\| ([AB]\\d+) \\|([^|]*)\\|([^|]*)\\|\\s*$");
    private static final Pattern CITED = Pattern.compile("`([^`#]+)#([^`]+)`");
    private static final Pattern EXTENDS = Pattern.compile("\\bclass \\w+ extends (\\w+)");

    private final Path root;

    Acceptance(Path root) {
        this.root = root;
    }

    /** What is cited by each row; a row that is open has an empty list. */
    Map<String, List<String>> rows(String document) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        document.lines().map(ROW::matcher).filter(Matcher::matches).forEach(row -> {
            List<String> cited = new ArrayList<>();
            Matcher test = CITED.matcher(row.group(3));
            while (test.find()) {
                cited.add(test.group(1) + "#" + test.group(2));
            }
            rows.put(row.group(1), cited);
        });
        return rows;
    }

    /** Rows that neither cite a test nor say why they are open. */
    List<String> silent(String document) {
        return document.lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .filter(row -> !row.group(3).contains("open: ")
                        && !CITED.matcher(row.group(3)).find())
                .map(row -> row.group(1))
                .toList();
    }

    /** What is wrong with a cited test; empty when it exists and has not been skipped. */
    Optional<String> wrong(String cited) {
        int hash = cited.indexOf('#');
        String place = cited.substring(0, hash);
        String method = cited.substring(hash + 1);
        try {
            return place.startsWith("testbed/") || place.startsWith("benchmarks/") || place.startsWith(".ci/")
                    ? wrongScript(place, method)
                    : wrongTest(place, method);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Optional<String> wrongScript(String script, String method) throws IOException {
        Path file = root.resolve(script);
        if (!Files.isRegularFile(file)) {
            return Optional.of("there is no script " + script);
        }
        try (Stream<Path> beside = Files.walk(file.getParent())) {
            boolean named = beside.filter(Files::isRegularFile).anyMatch(each -> contains(each, method));
            return named ? Optional.empty() : Optional.of("nothing beside " + script + " names " + method);
        }
    }

    private Optional<String> wrongTest(String place, String method) throws IOException {
        int slash = place.lastIndexOf('/');
        String module = place.substring(0, slash);
        String type = place.substring(slash + 1);
        Optional<Path> source = source(root.resolve(module).resolve("src/test/java"), type);
        if (source.isEmpty()) {
            return Optional.of("there is no test class " + type + " in " + module);
        }
        if (!declares(source.get(), method) && !inherits(source.get(), module, method)) {
            return Optional.of(type + " has no test " + method);
        }
        return skipped(root.resolve(module).resolve("target/surefire-reports"), type, method);
    }

    /** Whether a class above it, in the tests of its module or in the kit, declares the test. */
    private boolean inherits(Path source, String module, String method) throws IOException {
        Matcher parent = EXTENDS.matcher(Files.readString(source));
        if (!parent.find()) {
            return false;
        }
        for (String folder : List.of(module + "/src/test/java", "testkit/src/main/java")) {
            Optional<Path> above = source(root.resolve(folder), parent.group(1));
            if (above.isPresent() && (declares(above.get(), method) || inherits(above.get(), module, method))) {
                return true;
            }
        }
        return false;
    }

    /** Where tests of the module have run: the test must be among them, and must not have been skipped. */
    private Optional<String> skipped(Path reports, String type, String method) throws IOException {
        if (!Files.isDirectory(reports)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(reports)) {
            List<Path> mine = files.filter(
                            file -> file.getFileName().toString().matches("TEST-.*\\." + type + "\\.xml"))
                    .toList();
            // jqwik tells names with spaces for underscores.
            Pattern ran = Pattern.compile(
                    "<testcase name=\"" + method.replace("_", "[_ ]") + "(?:[\"(\\[ {:].*?)(/>|</testcase>)",
                    Pattern.DOTALL);
            for (Path file : mine) {
                Matcher test = ran.matcher(Files.readString(file));
                while (test.find()) {
                    return test.group().contains("<skipped")
                            ? Optional.of(type + "#" + method + " was skipped")
                            : Optional.empty();
                }
            }
            return mine.isEmpty() ? Optional.empty() : Optional.of(type + "#" + method + " is in no test report");
        }
    }

    private static Optional<Path> source(Path folder, String type) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().equals(type + ".java"))
                    .findFirst();
        }
    }

    private static boolean declares(Path source, String method) throws IOException {
        return Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                .matcher(Files.readString(source))
                .find();
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.size(file) < 1 << 20 && Files.readString(file).contains(text);
        } catch (IOException notText) {
            return false;
        }
    }
}
