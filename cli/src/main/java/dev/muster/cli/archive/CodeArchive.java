package dev.muster.cli.archive;

import dev.muster.cli.base.Reasons;
import dev.muster.cli.client.Request;
import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A code folder as a tar archive. Made while it is sent, so memory stays small; the same content gives the same bytes. */
public final class CodeArchive implements Request.Body {
    private final List<CodeEntry> entries;
    private final List<String> skipped;
    private final Map<String, Long> sizes;

    CodeArchive(List<CodeEntry> entries, List<String> skipped, Map<String, Long> sizes) {
        this.entries = List.copyOf(entries);
        this.skipped = List.copyOf(skipped);
        this.sizes = Map.copyOf(sizes);
    }

    /** What is neither file, folder nor link, and is not sent. */
    public List<String> skipped() {
        return skipped;
    }

    /** Relative paths of the files. */
    public List<String> names() {
        return entries.stream()
                .filter(CodeEntry.File.class::isInstance)
                .map(CodeEntry::path)
                .toList();
    }

    /** Whether a file lies at this relative path, or may do so behind a link. */
    public boolean holds(String path) {
        String name = Path.of(path).normalize().toString();
        return entries.stream().anyMatch(entry -> switch (entry) {
            case CodeEntry.Folder _ -> false;
            case CodeEntry.File file -> file.path().equals(name);
            case CodeEntry.Link link -> name.equals(link.path()) || name.startsWith(link.path() + "/");
        });
    }

    public long files() {
        return entries.stream().filter(CodeEntry.File.class::isInstance).count();
    }

    /** Bytes in its files. */
    public long bytes() {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Files and folders directly in it with the bytes in them, the largest first. */
    public List<Map.Entry<String, Long>> largest() {
        return sizes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }

    @Override
    public String mediaType() {
        return "application/x-tar";
    }

    @Override
    public long length() {
        long length = TarWriter.END;
        for (CodeEntry entry : entries) {
            length += TarWriter.lengthOf(tarEntry(entry));
        }
        return length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        for (CodeEntry entry : entries) {
            if (entry instanceof CodeEntry.File file) {
                write(file, tar);
            } else {
                tar.write(tarEntry(entry));
            }
        }
        tar.end();
    }

    private static TarEntry tarEntry(CodeEntry entry) {
        return switch (entry) {
            case CodeEntry.Folder(String path) -> TarEntry.folder(path, 0755, Instant.EPOCH);
            case CodeEntry.File file ->
                TarEntry.file(file.path(), file.executable() ? 0755 : 0644, file.size(), Instant.EPOCH);
            case CodeEntry.Link(String path, String target) -> TarEntry.link(path, Instant.EPOCH, target);
        };
    }

    private static void write(CodeEntry.File file, TarWriter tar) throws IOException {
        InputStream in;
        try {
            in = Files.newInputStream(file.source());
        } catch (IOException unreadable) {
            throw new Request.UnreadableBodyException(
                    file.path() + " in the code folder cannot be read: " + Reasons.of(unreadable));
        }
        try (in) {
            tar.write(tarEntry(file), in);
        } catch (EOFException shorter) {
            throw new Request.UnreadableBodyException(
                    file.path() + " in the code folder became shorter while it was sent; try again");
        }
    }
}
