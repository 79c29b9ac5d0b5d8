package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.Entry.Form;
import dev.muster.formats.files.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which checkpoints may go, and their removal. What has no step stays: nothing says how old it is. A checkpoint vanishes in an order in
 * which a kill half way never leaves something that looks whole.
 */
final class Retention {
    private static final String GOING = ".muster-removing-";

    private Retention() {}

    /**
     * What may go.
     *
     * @param seen      all, newest first
     * @param keep      how many whole ones stay, at least 1
     * @param protectedNames names that stay whatever their age
     */
    static List<Seen> mayGo(List<Seen> seen, int keep, Set<String> protectedNames) {
        List<Seen> whole = seen.stream()
                .filter(each -> each.entry().step().isPresent() && each.isWhole())
                .toList();
        if (whole.isEmpty()) {
            return List.of();
        }
        long newest = whole.getFirst().entry().step().getAsLong();
        List<Seen> kept = whole.subList(0, Math.min(Math.max(keep, 1), whole.size()));
        return seen.stream()
                .filter(each -> !kept.contains(each) && !protectedNames.contains(each.name()))
                .filter(each -> each.isWhole() ? each.entry().step().isPresent() : isLeftOver(each, newest))
                .toList();
    }

    /** Half, older than the newest whole one, and nobody writes to it any more. */
    private static boolean isLeftOver(Seen seen, long newest) {
        OptionalLong step = EntryName.number(seen.name());
        return seen.settled() && !EntryName.isBest(seen.name()) && step.isPresent() && step.getAsLong() < newest;
    }

    static void remove(Path folder, Entry entry) throws IOException {
        if (entry.form() == Form.TENSORFLOW) {
            Files.deleteIfExists(Path.of(entry.path() + ".index"));
            for (Entry.Part file : entry.files()) {
                Files.deleteIfExists(file.path());
            }
            return;
        }
        if (!Files.isDirectory(entry.path(), LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(entry.path());
            return;
        }
        Path going = folder.resolve(GOING + entry.name());
        Folders.delete(going);
        Files.move(entry.path(), going, StandardCopyOption.ATOMIC_MOVE);
        Folders.delete(going);
    }

    /** Removes what a kill in the middle of {@link #remove} left. */
    static void removeLeftOver(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder, GOING + "*")) {
            for (Path child : children) {
                Folders.delete(child);
            }
        }
    }
}
