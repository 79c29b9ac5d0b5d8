package dev.muster.cli.archive;

import dev.muster.cli.base.Reasons;
import dev.muster.cli.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
        long length = TarWriter.END_BYTES;
        for (CodeEntry entry : entries) {
            length += TarWriter.lengthOf(header(entry));
        }
        return length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        for (CodeEntry entry : entries) {
            tar.header(header(entry));
            if (entry instanceof CodeEntry.File file) {
                write(file, tar);
            }
        }
        tar.end();
    }

    private static TarWriter.Header header(CodeEntry entry) {
        return switch (entry) {
            case CodeEntry.Folder(String path) -> new TarWriter.Header(path + "/", '5', 0755, 0, "");
            case CodeEntry.File file ->
                new TarWriter.Header(file.path(), '0', file.executable() ? 0755 : 0644, file.size(), "");
            case CodeEntry.Link(String path, String target) -> new TarWriter.Header(path, '2', 0777, 0, target);
        };
    }

    private static void write(CodeEntry.File file, TarWriter tar) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = file.size();
        InputStream in;
        try {
            in = Files.newInputStream(file.source());
        } catch (IOException unreadable) {
            throw new Request.UnreadableBodyException(
                    file.path() + " in the code folder cannot be read: " + Reasons.of(unreadable));
        }
        try (in) {
            while (left > 0) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (count < 0) {
                    throw new Request.UnreadableBodyException(
                            file.path() + " in the code folder became shorter while it was sent; try again");
                }
                tar.content(buffer, count);
                left -= count;
            }
        }
        tar.pad(file.size());
    }
}
