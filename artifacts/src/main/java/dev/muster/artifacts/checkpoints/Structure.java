package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.Entry.Form;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Asks each form whether a checkpoint of it is complete and undamaged. */
final class Structure {
    private Structure() {}

    /** Markers that finished folders among the entries carry, so that the others must too. */
    static Set<String> expectedMarkers(List<Entry> entries) {
        Set<String> markers = new TreeSet<>();
        for (Entry entry : entries) {
            if (entry.form() == Form.FOLDER && entry.step().isPresent()) {
                markers.addAll(FolderForm.markers(entry));
            }
        }
        return markers;
    }

    /** What is missing, as the end of a sentence about it; empty when it is complete. Reads little. */
    static Optional<String> missing(Entry entry, Set<String> expectedMarkers) {
        try {
            return switch (entry.form()) {
                case TENSORFLOW -> TensorFlowForm.missing(entry);
                case FILE -> FileForm.missing(entry.path());
                case FOLDER -> FolderForm.missing(entry, entry.step().isPresent() ? expectedMarkers : Set.of());
            };
        } catch (NoSuchFileException vanished) {
            return Optional.of("was removed while it was looked at");
        } catch (IOException unreadable) {
            return Optional.of("cannot be read: " + unreadable.getMessage());
        }
    }

    /** Compares it with the check sums its own form carries; reads all of it. Empty when nothing is wrong or there are none. */
    static Optional<String> damage(Entry entry) throws IOException {
        return switch (entry.form()) {
            case TENSORFLOW -> TensorFlowForm.damage(entry);
            case FILE -> FileForm.damage(entry.path());
            case FOLDER -> damageInside(entry);
        };
    }

    private static Optional<String> damageInside(Entry folder) throws IOException {
        for (Entry.Part file : folder.files()) {
            Optional<String> damage = FileForm.damage(file.path());
            if (damage.isPresent()) {
                return Optional.of("holds " + folder.path().relativize(file.path()) + ", which " + damage.get());
            }
        }
        return Optional.empty();
    }

    /** Whether {@link #damage} proves all of it, because every byte that matters stands under a check sum. */
    static boolean provesItself(Entry entry) throws IOException {
        return switch (entry.form()) {
            case TENSORFLOW -> TensorFlowForm.hasCheckSums(entry);
            case FILE -> FileForm.provesItself(entry.path());
            case FOLDER -> false;
        };
    }
}
