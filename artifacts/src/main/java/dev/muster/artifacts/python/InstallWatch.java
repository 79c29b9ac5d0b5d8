package dev.muster.artifacts.python;

import dev.muster.model.Amount;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells which package pip installs just now. pip says the names of all of them once and then nothing for minutes, but it installs in the
 * order it said, and writes {@code INSTALLER} into a package's {@code .dist-info} when its files are there (PyPA, recording installed projects).
 */
final class InstallWatch implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Pattern INSTALLING = Pattern.compile("Installing collected packages: (.*)");
    private static final Pattern RECORD = Pattern.compile("(.+?)-[^-]+\\.dist-info");

    private final Path environment;
    private final Consumer<String> progress;
    private Optional<Thread> thread = Optional.empty();

    /** @param environment folder of the virtual environment */
    InstallWatch(Path environment, Consumer<String> progress) {
        this.environment = environment;
        this.progress = progress;
    }

    /** Takes a line of pip's; watches from the one on that names what will be installed. */
    synchronized void line(String line) {
        packages(line)
                .filter(packages -> thread.isEmpty())
                .ifPresent(packages -> thread = Optional.of(Thread.startVirtualThread(() -> watch(packages))));
    }

    /** What pip is about to install, in its order; empty when the line says something else. */
    static Optional<List<String>> packages(String line) {
        Matcher installing = INSTALLING.matcher(line);
        return installing.matches()
                ? Optional.of(List.of(installing.group(1).strip().split(", *")))
                : Optional.empty();
    }

    private void watch(List<String> packages) {
        String last = "";
        try {
            while (true) {
                Thread.sleep(LOOK);
                String now = text(packages, installed());
                if (!now.equals(last)) {
                    last = now;
                    progress.accept(now);
                }
            }
        } catch (InterruptedException over) {
            // pip has ended.
        } catch (IOException unreadable) {
            // It is only told less.
        }
    }

    /** Such as {@code installing tensorflow (23 of 41 packages)}. */
    static String text(List<String> packages, Set<String> installed) {
        int done = 0;
        while (done < packages.size() - 1 && installed.contains(normal(packages.get(done)))) {
            done++;
        }
        return "installing " + packages.get(done) + " (" + (done + 1) + " of "
                + Amount.of(packages.size(), "package", "packages") + ")";
    }

    /** Names of the packages that are there whole. */
    private Set<String> installed() throws IOException {
        Set<String> names = new HashSet<>();
        try (DirectoryStream<Path> pythons = Files.newDirectoryStream(environment.resolve("lib"), "python*")) {
            for (Path python : pythons) {
                names.addAll(installed(python.resolve("site-packages")));
            }
        }
        return names;
    }

    static Set<String> installed(Path sitePackages) throws IOException {
        Set<String> names = new HashSet<>();
        try (DirectoryStream<Path> records = Files.newDirectoryStream(sitePackages, "*.dist-info")) {
            for (Path record : records) {
                Matcher name = RECORD.matcher(record.getFileName().toString());
                if (name.matches() && Files.exists(record.resolve("INSTALLER"))) {
                    names.add(normal(name.group(1)));
                }
            }
        }
        return names;
    }

    /** A project's name in the one form that all spellings share (PyPA, name normalization). */
    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    @Override
    public synchronized void close() {
        thread.ifPresent(Thread::interrupt);
    }
}
