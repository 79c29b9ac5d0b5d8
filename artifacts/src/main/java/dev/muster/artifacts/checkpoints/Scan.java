package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.Entry.Form;
import dev.muster.artifacts.checkpoints.Entry.Part;
import dev.muster.artifacts.files.Tree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the checkpoints in a folder. Reads names and attributes only. */
final class Scan {
    private static final Pattern TENSORFLOW = Pattern.compile("(.+)\\.(?:index|meta|data-\\d{5}-of-\\d{5})");
    private static final Pattern SHARD = Pattern.compile("(.+)\\.data-(\\d{5})-of-(\\d{5})");

    private Scan() {}

    /**
     * All entries, newest first.
     *
     * @param named names that were reported, which count whatever they look like
     */
    static List<Entry> folder(Path folder, Set<String> named) throws IOException {
        List<Path> children = children(folder);
        Map<String, List<Part>> prefixes = new LinkedHashMap<>();
        for (Path child : children) {
            Matcher shard = SHARD.matcher(child.getFileName().toString());
            if (shard.matches()) {
                prefixes.put(shard.group(1), new ArrayList<>());
            }
        }
        List<Entry> entries = new ArrayList<>();
        for (Path child : children) {
            String name = child.getFileName().toString();
            Matcher piece = TENSORFLOW.matcher(name);
            try {
                if (piece.matches() && prefixes.containsKey(piece.group(1))) {
                    prefixes.get(piece.group(1)).add(part(child));
                } else if (named.contains(name) || counts(folder, child)) {
                    entries.add(entry(child));
                }
            } catch (NoSuchFileException vanished) {
                continue;
            }
        }
        prefixes.forEach((name, files) -> {
            if (!EntryName.isOther(name)) {
                entries.add(new Entry(name, Form.TENSORFLOW, folder.resolve(name), files));
            }
        });
        dropTexts(entries, named);
        entries.removeIf(entry -> entry.form() == Form.FOLDER && !named.contains(entry.name()) && isOtherFolder(entry));
        entries.sort(Entry.NEWEST_FIRST);
        return entries;
    }

    /** The TensorFlow checkpoint of that prefix. Of what else lies beside it, names are read and nothing more. */
    static Optional<Entry> tensorFlow(Path prefix) throws IOException {
        String name = prefix.getFileName().toString();
        List<Part> files = new ArrayList<>();
        boolean hasData = false;
        for (Path child : children(prefix.getParent())) {
            String piece = child.getFileName().toString();
            Matcher matcher = TENSORFLOW.matcher(piece);
            if (piece.startsWith(name) && matcher.matches() && matcher.group(1).equals(name)) {
                files.add(part(child));
                hasData |= SHARD.matcher(piece).matches();
            }
        }
        return hasData ? Optional.of(new Entry(name, Form.TENSORFLOW, prefix, files)) : Optional.empty();
    }

    /** The entry at the path itself, of whatever name. */
    static Entry entry(Path path) throws IOException {
        List<Part> files = new ArrayList<>();
        if (!Files.isDirectory(path)) {
            return new Entry(path.getFileName().toString(), Form.FILE, path, List.of(part(path)));
        }
        for (Tree.Found found : Tree.walk(path)) {
            if (found.attributes().isRegularFile()) {
                files.add(part(found.path()));
            }
        }
        return new Entry(path.getFileName().toString(), Form.FOLDER, path, files);
    }

    /** The same entry as it is now. */
    static Entry again(Entry entry) throws IOException {
        if (entry.form() != Form.TENSORFLOW) {
            return entry(entry.path());
        }
        List<Part> files = new ArrayList<>();
        for (Part file : entry.files()) {
            files.add(part(file.path()));
        }
        return new Entry(entry.name(), Form.TENSORFLOW, entry.path(), files);
    }

    /** A link to something else in the folder is only another name of that; one that leads elsewhere is read, never followed to delete. */
    private static boolean counts(Path folder, Path child) throws IOException {
        if (EntryName.isOther(child.getFileName().toString())) {
            return false;
        }
        if (Files.isSymbolicLink(child)) {
            return (Files.isRegularFile(child) || Files.isDirectory(child))
                    && !child.toRealPath().startsWith(folder.toRealPath());
        }
        return Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS);
    }

    /** Texts without a step are notes; with a step they are checkpoints only where nothing else has a step. */
    private static void dropTexts(Collection<Entry> entries, Set<String> named) {
        boolean others =
                entries.stream().anyMatch(entry -> entry.step().isPresent() && !EntryName.isText(entry.name()));
        entries.removeIf(entry -> entry.form() == Form.FILE
                && EntryName.isText(entry.name())
                && !named.contains(entry.name())
                && (others || entry.step().isEmpty()));
    }

    /** A folder without a step that neither says nor shows that it is a checkpoint, such as one of logs. */
    private static boolean isOtherFolder(Entry entry) {
        return EntryName.number(entry.name()).isEmpty()
                && !EntryName.isBest(entry.name())
                && !EntryName.isLatest(entry.name())
                && !FolderForm.isRecognised(entry)
                && entry.files().stream()
                        .noneMatch(file ->
                                EntryName.isWeights(file.path().getFileName().toString()));
    }

    private static Part part(Path file) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, "unix:size,lastModifiedTime,ctime");
        return new Part(file, (Long) attributes.get("size"), (FileTime) attributes.get("lastModifiedTime"), (FileTime)
                attributes.get("ctime"));
    }

    private static List<Path> children(Path folder) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            all.forEach(children::add);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
        return children;
    }
}
