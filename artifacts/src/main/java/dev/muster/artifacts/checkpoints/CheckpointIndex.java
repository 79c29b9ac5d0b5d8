package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.files.Durable;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.formats.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was recorded about the checkpoints of one job, in {@code checkpoints.json} beside their folder: never inside it, which belongs to
 * the job. Losing the file loses the digests, not the checkpoints. Not safe for several threads at once.
 */
final class CheckpointIndex {
    /**
     * What is known of one name.
     *
     * @param recorded  signature and digest when it became whole
     * @param reported  signature when a report said that it is whole
     * @param rewritten whether an attempt that started before this step may write it anew
     */
    record Known(Optional<Recorded> recorded, Optional<String> reported, boolean rewritten) {
        static final Known NOTHING = new Known(Optional.empty(), Optional.empty(), false);
    }

    record Recorded(String signature, String digest) {}

    private final Path file;
    private final Map<String, Known> known;

    private CheckpointIndex(Path file, Map<String, Known> known) {
        this.file = file;
        this.known = known;
    }

    /** Reads the index; an absent or unreadable one is empty. */
    static CheckpointIndex open(Path file) {
        Map<String, Known> known = new TreeMap<>();
        try {
            JsonFields entries = ((JsonFields) JsonReader.readFile(Files.readString(file))).object("entries");
            entries.values().keySet().forEach(name -> known.put(name, known(entries.object(name))));
        } catch (NoSuchFileException none) {
            return new CheckpointIndex(file, known);
        } catch (IOException | RuntimeException unreadable) {
            System.getLogger(CheckpointIndex.class.getName())
                    .log(System.Logger.Level.WARNING, file + " cannot be read; digests of checkpoints are taken anew");
            known.clear();
        }
        return new CheckpointIndex(file, known);
    }

    private static Known known(JsonFields fields) {
        return new Known(
                fields.optionalText("digest").map(digest -> new Recorded(fields.text("signature"), digest)),
                fields.optionalText("reported"),
                fields.get("rewritten").equals(Json.of(true)));
    }

    Known of(String name) {
        return known.getOrDefault(name, Known.NOTHING);
    }

    Set<String> reported() {
        Set<String> names = new HashSet<>();
        known.forEach((name, each) -> each.reported().ifPresent(signature -> names.add(name)));
        return names;
    }

    void put(String name, Known value) {
        known.put(name, value);
    }

    void keepOnly(Set<String> names) {
        known.keySet().retainAll(names);
    }

    /** Writes it, unless the job's folder is gone. */
    void save() throws IOException {
        if (!Files.isDirectory(file.getParent())) {
            return;
        }
        Json.Builder entries = Json.object();
        known.forEach((name, each) -> {
            Json.Builder fields = Json.object();
            each.recorded().ifPresent(recorded -> {
                fields.put("signature", recorded.signature());
                fields.put("digest", recorded.digest());
            });
            each.reported().ifPresent(signature -> fields.put("reported", signature));
            if (each.rewritten()) {
                fields.put("rewritten", Json.of(true));
            }
            entries.put(name, fields.build());
        });
        Durable.write(file, Json.object().put("entries", entries.build()).build() + "\n");
    }
}
