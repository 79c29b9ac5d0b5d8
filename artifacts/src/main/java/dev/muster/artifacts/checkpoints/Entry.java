package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.files.Sha256;
import dev.muster.artifacts.files.Tree;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.artifacts.files.TreeEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * One checkpoint as it lies on disk at one moment.
 *
 * @param name  its name in the folder; for TensorFlow the prefix
 * @param form  how it is stored
 * @param path  what the framework's restore takes
 * @param files all regular files it consists of, sorted by path
 */
record Entry(String name, Form form, Path path, List<Part> files) {
    /** How a checkpoint is stored. */
    enum Form {
        /** {@code PREFIX.index} and {@code PREFIX.data-0000i-of-0000n}. */
        TENSORFLOW,
        FILE,
        FOLDER
    }

    /**
     * One file.
     *
     * @param path     where it is
     * @param size     in bytes
     * @param modified when its bytes last changed
     * @param changed  when its bytes or attributes last changed; nothing can set this time back
     */
    record Part(Path path, long size, FileTime modified, FileTime changed) {}

    /** Newest step first; those without a step last, the latest saved first. */
    static final Comparator<Entry> NEWEST_FIRST = Comparator.<Entry>comparingLong(
                    entry -> entry.step().orElse(Long.MIN_VALUE))
            .thenComparing(Entry::saved)
            .reversed()
            .thenComparing(Entry::name);

    Entry {
        files = files.stream().sorted(Comparator.comparing(Part::path)).toList();
    }

    OptionalLong step() {
        return EntryName.step(name);
    }

    /** Time of the newest file. */
    FileTime saved() {
        return files.stream().map(Part::modified).max(FileTime::compareTo).orElse(FileTime.fromMillis(0));
    }

    /** Latest time at which anything about its files changed. */
    FileTime touched() {
        return files.stream().map(Part::changed).max(FileTime::compareTo).orElse(FileTime.fromMillis(0));
    }

    /** Changes whenever a file comes, goes, or gets another size or time. */
    String signature() {
        return Sha256.of(files.stream()
                        .map(file -> file.path() + "\0" + file.size() + "\0" + file.modified())
                        .collect(Collectors.joining("\n")))
                .substring(0, 32);
    }

    /** Digest over its files; reads all of them. */
    String digest() throws IOException {
        Path top = path.getParent();
        List<TreeEntry> entries = new ArrayList<>();
        for (Part file : files) {
            entries.add(Tree.entry(top, file.path()));
        }
        return TreeDigest.of(entries);
    }
}
