package dev.muster.telemetry;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The event files below some folders. Looking for them is bounded in depth, entries and number; folders that hold programs are
 * passed over.
 */
final class EventFiles {
    private static final int DEEPEST = 8;
    private static final int MOST_ENTRIES = 5_000;
    private static final int MOST_FILES = 64;
    private static final Set<String> PROGRAMS = Set.of(".git", ".venv", "venv", "node_modules", "__pycache__");
    private static final Set<String> OTHER_RUNS = Set.of("validation", "val", "eval", "test");

    private final List<Path> roots;
    private final Map<Path, EventFile> files = new LinkedHashMap<>();

    EventFiles(List<Path> roots) {
        this.roots = roots;
    }

    /** Takes up a file at a place that was reached before. */
    void resume(Path path, long offset) {
        files.put(path, new EventFile(path, offset));
    }

    /** Looks for new files; true when there were any. With {@code onlyNew} what is in them already is passed over. */
    boolean look(boolean onlyNew) throws IOException {
        int before = files.size();
        for (Path root : roots) {
            if (Files.isDirectory(root)) {
                Files.walkFileTree(root, Set.<FileVisitOption>of(), DEEPEST, new Finder(onlyNew));
            }
        }
        return files.size() > before;
    }

    /** Reads what was added, with the prefix of its run's name to each tag. Returns the bytes read. */
    long read(long budget, BiConsumer<String, TrainingEvent> events) throws IOException {
        long read = 0;
        for (EventFile file : files.values()) {
            if (read < budget) {
                String prefix = prefix(file.path());
                read += file.read(budget - read, event -> events.accept(prefix, event));
            }
        }
        return read;
    }

    /** How far each file is read. */
    Map<Path, Long> offsets() {
        Map<Path, Long> offsets = new LinkedHashMap<>();
        files.values().forEach(file -> offsets.put(file.path(), file.offset()));
        return offsets;
    }

    /** Keras and others write validation beside training under the same tags, in a folder that tells which. */
    private static String prefix(Path file) {
        String folder = file.getParent().getFileName().toString();
        return OTHER_RUNS.contains(folder) ? folder + "/" : "";
    }

    private final class Finder extends SimpleFileVisitor<Path> {
        private final boolean onlyNew;
        private int entries;

        Finder(boolean onlyNew) {
            this.onlyNew = onlyNew;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return PROGRAMS.contains(folder.getFileName().toString())
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            entries++;
            if (attributes.isRegularFile()
                    && file.getFileName().toString().contains("tfevents")
                    && Report.isPlain(file.toString()
                            .substring(Math.max(0, file.toString().length() - 200)))) {
                files.computeIfAbsent(file, path -> new EventFile(path, onlyNew ? attributes.size() : 0));
            }
            return entries >= MOST_ENTRIES || files.size() >= MOST_FILES
                    ? FileVisitResult.TERMINATE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
            return FileVisitResult.CONTINUE;
        }
    }
}
