package dev.muster.backend.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The files of a pod's checkpoint folder as {@code find} told them.
 *
 * @param files size and time of each, by path in the folder
 */
record Listing(Map<String, Stat> files) {
    static final Listing EMPTY = new Listing(Map.of());

    record Stat(long size, long seconds) {}

    Listing {
        files = new TreeMap<>(files);
    }

    /** Lines "size seconds ./path"; a line of another form, such as of a name with a line break, is passed over. */
    static Listing parse(String text) {
        Map<String, Stat> files = new TreeMap<>();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 3);
            if (words.length == 3 && words[2].startsWith("./") && !words[2].contains("/../")) {
                try {
                    files.put(words[2].substring(2), new Stat(Long.parseLong(words[0]), Long.parseLong(words[1])));
                } catch (NumberFormatException otherForm) {
                    continue;
                }
            }
        }
        return new Listing(files);
    }

    /** The entry of the folder that a file belongs to: what is whole or not as one. */
    static String entry(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /** Files of one entry. */
    Map<String, Stat> of(String entry) {
        Map<String, Stat> inside = new TreeMap<>();
        files.forEach((path, stat) -> {
            if (entry(path).equals(entry)) {
                inside.put(path, stat);
            }
        });
        return inside;
    }

    /** Whether an entry is a checkpoint of this name, or one of the files that begin with it, as TensorFlow's do. */
    static boolean isPartOf(String entry, String name) {
        return entry.equals(name) || entry.startsWith(name + ".");
    }

    /** A file of a folder of this host. */
    static Optional<Stat> stat(Path folder, String path) {
        Path file = folder.resolve(path);
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            long seconds = Files.getLastModifiedTime(file).to(TimeUnit.SECONDS);
            return Optional.of(new Stat(Files.size(file), seconds));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
