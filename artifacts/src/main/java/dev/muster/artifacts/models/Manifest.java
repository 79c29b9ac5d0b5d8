package dev.muster.artifacts.models;

import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.Json;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    private static final long FORM = 1;

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
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("form", FORM);
        document.put("name", version.name());
        document.put("version", version.version());
        document.put("digest", version.digest());
        document.put("job", version.job().value());
        document.put("createdAt", version.createdAt().toString());
        document.put("lineage", version.lineage());
        document.put("files", entries.stream().map(Manifest::json).toList());
        Durable.write(folder.resolve(FILE), Json.write(document));
    }

    /** @throws IOException also when it is no manifest */
    static Manifest read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        try {
            Map<String, Object> document = Json.object(Files.readString(file)).orElseThrow();
            if (!document.get("form").equals(FORM)) {
                throw new IOException(
                        file + " was written by another version of Muster (form " + document.get("form") + ")");
            }
            Map<String, String> lineage = new TreeMap<>();
            ((Map<?, ?>) document.get("lineage")).forEach((key, value) -> lineage.put((String) key, (String) value));
            List<TreeEntry> entries = new ArrayList<>();
            ((List<?>) document.get("files")).forEach(entry -> entries.add(entry((Map<?, ?>) entry)));
            return new Manifest(
                    new ModelVersion(
                            (String) document.get("name"),
                            Math.toIntExact((Long) document.get("version")),
                            (String) document.get("digest"),
                            new JobId((String) document.get("job")),
                            Instant.parse((String) document.get("createdAt")),
                            lineage),
                    entries);
        } catch (RuntimeException malformed) {
            throw new IOException(file + " is damaged; the files beside it can still be copied by hand", malformed);
        }
    }

    private static Map<String, Object> json(TreeEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", entry.path());
        switch (entry) {
            case TreeEntry.Folder ignored -> json.put("folder", true);
            case TreeEntry.Link link -> json.put("link", link.target());
            case TreeEntry.File file -> {
                json.put("size", file.size());
                json.put("sha256", file.sha256());
                if (file.executable()) {
                    json.put("executable", true);
                }
            }
        }
        return json;
    }

    private static TreeEntry entry(Map<?, ?> json) {
        String path = (String) json.get("path");
        if (json.containsKey("folder")) {
            return new TreeEntry.Folder(path);
        }
        if (json.containsKey("link")) {
            return new TreeEntry.Link(path, (String) json.get("link"));
        }
        return new TreeEntry.File(
                path, json.containsKey("executable"), (Long) json.get("size"), (String) json.get("sha256"));
    }
}
