package dev.muster.artifacts.checkpoints;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.formats.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checkpoints that are folders. A marker that the writer puts in last tells most: {@code _COMPLETE}, PyTorch's distributed
 * {@code .metadata}, Hugging Face's {@code trainer_state.json}, Orbax's {@code _CHECKPOINT_METADATA} and {@code commit_success.txt}. A
 * folder is not complete when it lacks a marker that others beside it carry, or when a file in it is not complete.
 */
final class FolderForm {
    static final Set<String> MARKERS =
            Set.of("_COMPLETE", ".metadata", "trainer_state.json", "_CHECKPOINT_METADATA", "commit_success.txt");
    private static final Pattern TENSORFLOW_PIECE = Pattern.compile("(.+)\\.(?:index|data-\\d{5}-of-\\d{5})");
    private static final Pattern DISTRIBUTED_FILE = Pattern.compile("__\\d+_\\d+\\.distcp");
    private static final Pattern TRAINER_FOLDER = Pattern.compile("checkpoint-\\d+");
    private static final Pattern TRAINER_REST =
            Pattern.compile("optimizer\\.pt|scheduler\\.pt|rng_state.*\\.pth|training_args\\.bin");
    private static final Set<String> SHARD_LISTS =
            Set.of("model.safetensors.index.json", "pytorch_model.bin.index.json");

    private FolderForm() {}

    /** The markers in the folder itself. */
    static Set<String> markers(Entry entry) {
        Set<String> markers = new TreeSet<>(names(entry));
        markers.retainAll(MARKERS);
        return markers;
    }

    /** Whether the folder shows by itself that it is one checkpoint, not a folder of checkpoints. */
    static boolean isRecognised(Entry entry) {
        return !markers(entry).isEmpty() || names(entry).contains("saved_model.pb");
    }

    /**
     * What is missing; empty when nothing is.
     *
     * @param expected markers that other folders beside it carry
     */
    static Optional<String> missing(Entry entry, Set<String> expected) throws IOException {
        if (entry.files().isEmpty()) {
            return Optional.of("is an empty folder");
        }
        Set<String> markers = markers(entry);
        for (String marker : new TreeSet<>(expected)) {
            if (!markers.contains(marker)) {
                return Optional.of("lacks " + marker + ", which others here carry when they are complete");
            }
        }
        if (markers.isEmpty()) {
            Optional<String> unfinished = unfinished(entry);
            if (unfinished.isPresent()) {
                return unfinished;
            }
        }
        Optional<String> distributed = distributed(entry, markers.contains(".metadata"));
        if (distributed.isPresent()) {
            return distributed;
        }
        if (markers.contains("_CHECKPOINT_METADATA")
                && !markers.contains("commit_success.txt")
                && !isCommitted(entry)) {
            return Optional.of("is not committed yet, says its _CHECKPOINT_METADATA");
        }
        Optional<String> trainer = trainer(entry);
        return trainer.isPresent() ? trainer : files(entry);
    }

    private static Optional<String> unfinished(Entry entry) {
        for (Entry.Part file : entry.files()) {
            Path inside = entry.path().relativize(file.path());
            for (Path name : inside) {
                if (EntryName.isUnfinished(name.toString())) {
                    return Optional.of("holds the unfinished " + inside);
                }
            }
        }
        return Optional.empty();
    }

    /** torch.distributed.checkpoint: the metadata names every data file and is written last. */
    private static Optional<String> distributed(Entry entry, boolean hasMetadata) throws IOException {
        Set<String> names = names(entry);
        boolean hasData = names.stream().anyMatch(name -> name.endsWith(".distcp"));
        if (hasData && !hasMetadata) {
            return Optional.of("lacks .metadata, which is written last");
        }
        if (!hasMetadata) {
            return Optional.empty();
        }
        byte[] metadata = Files.readAllBytes(entry.path().resolve(".metadata"));
        if (metadata.length == 0 || metadata[metadata.length - 1] != '.') {
            return Optional.of("has a .metadata that is cut short");
        }
        Matcher named = DISTRIBUTED_FILE.matcher(new String(metadata, StandardCharsets.ISO_8859_1));
        while (named.find()) {
            Path file = entry.path().resolve(named.group());
            if (!Files.exists(file)) {
                return Optional.of("lacks " + named.group() + ", which its .metadata names");
            }
        }
        return Optional.empty();
    }

    /** Orbax: the time of the commit is filled in when all is written; older versions have none. */
    private static boolean isCommitted(Entry entry) throws IOException {
        String text = Files.readString(entry.path().resolve("_CHECKPOINT_METADATA"));
        return object(text)
                .map(metadata -> !Json.NULL.equals(metadata.values().get("commit_timestamp_nsecs")))
                .orElse(false);
    }

    /** The document, when the text is a JSON object. */
    static Optional<JsonFields> object(String text) {
        try {
            return JsonReader.readFile(text) instanceof JsonFields fields ? Optional.of(fields) : Optional.empty();
        } catch (JsonException noJson) {
            return Optional.empty();
        }
    }

    /** Hugging Face Trainer: its state is written after model and optimizer. */
    private static Optional<String> trainer(Entry entry) throws IOException {
        Set<String> names = names(entry);
        if (!names.contains("trainer_state.json")) {
            boolean ofTrainer = TRAINER_FOLDER.matcher(entry.name()).matches()
                    && names.stream()
                            .anyMatch(name -> TRAINER_REST.matcher(name).matches());
            return ofTrainer ? Optional.of("lacks trainer_state.json, which is written last") : Optional.empty();
        }
        boolean hasModel = names.stream()
                        .anyMatch(
                                name -> name.endsWith(".safetensors") || name.endsWith(".bin") || name.endsWith(".pt"))
                || entry.files().stream()
                        .anyMatch(file -> file.path().toString().endsWith(".distcp"));
        if (!hasModel) {
            return Optional.of("has no model file beside its trainer_state.json");
        }
        for (String list : SHARD_LISTS) {
            Path file = entry.path().resolve(list);
            Json map = names.contains(list)
                    ? object(Files.readString(file))
                            .map(json -> json.get("weight_map"))
                            .orElse(Json.NULL)
                    : Json.NULL;
            Set<Json> shards =
                    map instanceof JsonFields(Map<String, Json> files) ? Set.copyOf(files.values()) : Set.of();
            for (Json shard : shards) {
                String name = shard instanceof Json.Text(String text) ? text : shard.toString();
                if (!names.contains(name)) {
                    return Optional.of("lacks " + name + ", which " + list + " names");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> files(Entry entry) throws IOException {
        Map<Path, List<Entry.Part>> prefixes = new HashMap<>();
        for (Entry.Part file : entry.files()) {
            String name = file.path().getFileName().toString();
            Matcher piece = TENSORFLOW_PIECE.matcher(name);
            boolean known = !EntryName.ending(name).isEmpty() && file.size() > 0 || EntryName.isWeights(name);
            Optional<String> missing = Optional.empty();
            if (piece.matches()) {
                prefixes.computeIfAbsent(file.path().resolveSibling(piece.group(1)), prefix -> new ArrayList<>())
                        .add(file);
            } else if (known) {
                missing = FileForm.missing(file.path());
            }
            if (missing.isPresent()) {
                return Optional.of("holds " + entry.path().relativize(file.path()) + ", which " + missing.get());
            }
        }
        for (Map.Entry<Path, List<Entry.Part>> prefix : prefixes.entrySet()) {
            boolean hasData = prefix.getValue().stream()
                    .anyMatch(file -> !file.path().toString().endsWith(".index"));
            Entry inner = new Entry(
                    prefix.getKey().getFileName().toString(),
                    Entry.Form.TENSORFLOW,
                    prefix.getKey(),
                    prefix.getValue());
            Optional<String> missing = hasData ? TensorFlowForm.missing(inner) : Optional.empty();
            if (missing.isPresent()) {
                return Optional.of("holds " + entry.path().relativize(prefix.getKey()) + ", which " + missing.get());
            }
        }
        return Optional.empty();
    }

    private static Set<String> names(Entry entry) {
        Set<String> names = new TreeSet<>();
        for (Entry.Part file : entry.files()) {
            if (entry.path().equals(file.path().getParent())) {
                names.add(file.path().getFileName().toString());
            }
        }
        return names;
    }
}
