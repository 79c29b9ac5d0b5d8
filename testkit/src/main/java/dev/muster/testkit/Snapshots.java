package dev.muster.testkit;

import dev.muster.spi.CodeStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Code snapshots in memory for tests of backends. Filled by {@link #add}; it takes no archives. */
public final class Snapshots implements CodeStore {
    private final Map<String, Map<String, String>> snapshots = new ConcurrentHashMap<>();

    /** Stores files by relative path and gives the digest. */
    public String add(Map<String, String> files) {
        String digest = "sha256:" + String.format("%064x", snapshots.size() + 1);
        snapshots.put(digest, Map.copyOf(files));
        return digest;
    }

    @Override
    public boolean has(String digest) {
        return snapshots.containsKey(digest);
    }

    @Override
    public boolean holds(String digest, String path) {
        return snapshots.getOrDefault(digest, Map.of()).containsKey(path);
    }

    @Override
    public String put(InputStream tar, long maxBytes) {
        throw new UnsupportedOperationException("snapshots of tests are added file by file");
    }

    @Override
    public void copyTo(String digest, Path folder) throws IOException {
        Map<String, String> files = snapshots.get(digest);
        if (files == null) {
            throw new IOException("no snapshot " + digest);
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue().getBytes(StandardCharsets.UTF_8));
        }
    }
}
