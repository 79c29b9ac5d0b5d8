package dev.muster.artifacts.models;

import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.formats.json.JsonReader;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code manifest.json} beside the files of a version says.
 *
 * @param version the version
 * @param entries every file, link and folder below {@code files/}, with the size and SHA-256 of each file
 */
record Manifest(ModelVersion version, List<TreeEntry> entries) {
    static final String FILE = "manifest.json";
    private static final Json FORM = Json.of(1);

    Manifest {
        entries = List.copyOf(entries);
    }

    static Manifest of(
            String name,
            int version,
            JobId job,
            Instant createdAt,
            Map<String, String> lineage,
            List<TreeEntry> entries) {
        return new Manifest(new ModelVersion(name, version, TreeDigest.of(entries), job, createdAt, lineage), entries);
    }

    void write(Path folder) throws IOException {
        JsonFields document = Json.object()
                .put("form", FORM)
                .put("name", version.name())
                .put("version", Json.of(version.version()))
                .put("digest", version.digest())
                .put("job", version.job().value())
                .put("createdAt", Json.of(version.createdAt()))
                .put("lineage", Json.ofTexts(version.lineage()))
                .put(
                        "files",
                        new Json.Items(entries.stream().map(Manifest::json).toList()))
                .build();
        Durable.write(folder.resolve(FILE), document + "\n");
    }

    /** @throws IOException also when it is no manifest */
    static Manifest read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        try {
            JsonFields document = (JsonFields) JsonReader.readFile(Files.readString(file));
            if (!document.get("form").equals(FORM)) {
                throw new IOException(
                        file + " was written by another version of Muster (form " + document.get("form") + ")");
            }
            return new Manifest(
                    new ModelVersion(
                            document.text("name"),
                            document.smallInteger("version"),
                            document.text("digest"),
                            new JobId(document.text("job")),
                            document.time("createdAt"),
                            new TreeMap<>(document.textMap("lineage"))),
                    document.list("files", Manifest::entry));
        } catch (RuntimeException malformed) {
            throw new IOException(file + " is damaged; the files beside it can still be copied by hand", malformed);
        }
    }

    private static Json json(TreeEntry entry) {
        Json.Builder json = Json.object().put("path", entry.path());
        switch (entry) {
            case TreeEntry.Folder ignored -> json.put("folder", Json.of(true));
            case TreeEntry.Link link -> json.put("link", link.target());
            case TreeEntry.File file -> {
                json.put("size", Json.of(file.size()));
                json.put("sha256", file.sha256());
                if (file.executable()) {
                    json.put("executable", Json.of(true));
                }
            }
        }
        return json.build();
    }

    private static TreeEntry entry(JsonFields json) {
        String path = json.text("path");
        if (json.values().containsKey("folder")) {
            return new TreeEntry.Folder(path);
        }
        if (json.values().containsKey("link")) {
            return new TreeEntry.Link(path, json.text("link"));
        }
        return new TreeEntry.File(
                path, json.values().containsKey("executable"), json.integer("size"), json.text("sha256"));
    }
}
