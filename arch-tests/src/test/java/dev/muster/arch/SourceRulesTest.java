package dev.muster.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that class files do not show: length of files, and what the poms say. */
class SourceRulesTest {
    private static final int MOST_LINES = 600;
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".muster-build", "node_modules", ".venv");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>muster-([a-z-]+)</artifactId>");

    @TempDir
    private Path folder;

    @Test
    void noJavaFileIsLongerThan600Lines() throws IOException {
        assertThat(files(ROOT, file -> file.toString().endsWith(".java"))).isNotEmpty();
        assertThat(tooLong(ROOT))
                .as("files of more than %d lines: split them by idea", MOST_LINES)
                .isEmpty();
    }

    @Test
    void aLongFileIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("Long.java"), "\n".repeat(MOST_LINES + 1));
        Files.writeString(folder.resolve("Short.java"), "\n".repeat(MOST_LINES));
        assertThat(tooLong(folder)).containsExactly(file);
    }

    @Test
    void versionsAreNamedOnlyInTheRootPom() throws IOException {
        List<Path> poms = files(ROOT, file -> file.endsWith("pom.xml") && !file.equals(ROOT.resolve("pom.xml")));
        assertThat(poms)
                .isNotEmpty()
                .allSatisfy(pom -> assertThat(dependencyVersions(Files.readString(pom)))
                        .as("versions of dependencies in %s: move them to dependencyManagement of the root pom", pom)
                        .isEmpty());
    }

    @Test
    void aVersionInAModulePomIsReported() {
        String pom = "<dependencies><dependency><groupId>g</groupId><version>1</version></dependency></dependencies>";
        assertThat(dependencyVersions(pom)).containsExactly("1");
    }

    @Test
    void everyModuleOfTheBuildIsNamedInTheHouse() throws IOException {
        Set<String> built = new TreeSet<>();
        Matcher managed = ARTIFACT.matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (managed.find()) {
            built.add(managed.group(1).replace("backend-", "backend."));
        }
        built.remove("root");
        assertThat(House.MODULES.keySet())
                .as("modules in House.MODULES, against those in dependencyManagement of the root pom")
                .isEqualTo(built);
        assertThat(Files.readString(Path.of("pom.xml")))
                .as("arch-tests takes every module, or its rules would not see it")
                .contains(built.stream()
                        .map(module -> "<artifactId>muster-" + module.replace('.', '-') + "</artifactId>")
                        .toList());
    }

    @Test
    void everyModuleHasAReadmeThatSaysWhereToStart() throws IOException {
        List<Path> poms =
                files(ROOT, file -> file.endsWith("pom.xml") && !contains(file, "<packaging>pom</packaging>"));
        List<Path> modules = new ArrayList<>(poms.stream().map(Path::getParent).toList());
        modules.addAll(List.of(ROOT.resolve("benchmarks"), ROOT.resolve("testbed")));
        assertThat(modules)
                .hasSizeGreaterThan(House.MODULES.size())
                .allSatisfy(module -> assertThat(readmeProblem(module)).isEmpty());
    }

    @Test
    void aModuleWithoutAUsefulReadmeIsReported() throws IOException {
        Path readme = folder.resolve("README.md");
        assertThat(readmeProblem(folder)).contains(readme + " is missing");
        Files.writeString(readme, "# " + folder.getFileName() + "\n\nIt is not finished.\n");
        assertThat(readmeProblem(folder)).contains(readme + " does not say where to start reading");
        Files.writeString(readme, "# something else\n\nStart reading at the beginning.\n");
        assertThat(readmeProblem(folder)).contains(readme + " does not begin with the name of its folder");
        Files.writeString(readme, "# " + folder.getFileName() + "\n\nStart reading at the beginning.\n");
        assertThat(readmeProblem(folder)).isEmpty();
    }

    /** What is wrong with the page that a reader of the module meets first. */
    private static Optional<String> readmeProblem(Path module) throws IOException {
        Path readme = module.resolve("README.md");
        if (!Files.isRegularFile(readme)) {
            return Optional.of(readme + " is missing");
        }
        String text = Files.readString(readme);
        if (!text.lines().findFirst().orElse("").matches("# (.*/)?" + Pattern.quote("" + module.getFileName()))) {
            return Optional.of(readme + " does not begin with the name of its folder");
        }
        return Pattern.compile("\\bstart(?: reading)?\\b", Pattern.CASE_INSENSITIVE)
                        .matcher(text)
                        .find()
                ? Optional.empty()
                : Optional.of(readme + " does not say where to start reading");
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<Path> tooLong(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path file : files(root, file -> file.toString().endsWith(".java"))) {
            if (Files.readAllLines(file).size() > MOST_LINES) {
                found.add(file);
            }
        }
        return found;
    }

    private static List<String> dependencyVersions(String pom) {
        return Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL)
                .matcher(pom)
                .results()
                .flatMap(dependency -> Pattern.compile("<version>(.*?)</version>")
                        .matcher(dependency.group())
                        .results()
                        .map(version -> version.group(1)))
                .toList();
    }

    private static List<Path> files(Path root, Predicate<Path> wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_OURS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (wanted.test(file)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
