package dev.muster.formats.tar;

import dev.muster.formats.streams.BoundedInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads a tar archive from a stream: POSIX ustar and pax (IEEE 1003.1), GNU long names and binary numbers. Memory is bounded whatever
 * the archive says; how much content and how many entries are too much is for the caller to say. Broken check sums and archives that
 * stop early are refused, as are sparse files.
 *
 * <p>It reads to the end of the archive, not to the end of the stream.
 */
public final class TarReader {
    private static final int LONGEST_EXTENSION = 1 << 20;
    private static final int MOST_EXTENSIONS_IN_A_ROW = 16;
    private static final long LATEST = Instant.MAX.getEpochSecond();

    private final InputStream in;
    private final TarHeader header;
    private InputStream content = InputStream.nullInputStream();
    private int padding;

    /** @param malformed what to do about a name that is not UTF-8: refuse the archive, or put U+FFFD where it is not */
    public TarReader(InputStream in, CodingErrorAction malformed) {
        this.in = in;
        this.header = new TarHeader(new byte[TarHeader.BLOCK], malformed);
    }

    /**
     * The next entry, after passing over what was not read of the one before; empty at the end of the archive.
     *
     * @throws TarException when the archive is damaged or stops early
     */
    public Optional<TarEntry> next() throws IOException {
        PaxRecords pax = new PaxRecords(header);
        for (int extensions = 0; extensions <= MOST_EXTENSIONS_IN_A_ROW; extensions++) {
            passOver();
            if (in.readNBytes(header.block(), 0, TarHeader.BLOCK) < TarHeader.BLOCK) {
                throw TarException.cutShort("it stops before its end");
            }
            if (header.isZero()) {
                return Optional.empty();
            }
            header.check();
            long size = header.number(124, 12);
            switch (header.type()) {
                case 'x' -> pax.add(extension(size));
                case 'g' -> extension(size);
                case 'L' -> pax.path(text(extension(size)));
                case 'K' -> pax.linkPath(text(extension(size)));
                default -> {
                    return Optional.of(entry(pax, pax.size().orElse(size)));
                }
            }
        }
        throw TarException.damaged("it has more than " + MOST_EXTENSIONS_IN_A_ROW + " extension headers in a row");
    }

    /** The bytes of the entry that was given last; closing it does nothing. */
    public InputStream content() {
        return content;
    }

    private void passOver() throws IOException {
        content.transferTo(OutputStream.nullOutputStream());
        content = InputStream.nullInputStream();
        try {
            in.skipNBytes(padding);
        } catch (EOFException end) {
            throw TarException.cutShort("it stops before its end");
        }
        padding = 0;
    }

    private TarEntry entry(PaxRecords pax, long size) throws IOException {
        String name = pax.path().isPresent() ? pax.path().get() : header.name();
        String target = pax.linkPath().isPresent() ? pax.linkPath().get() : header.text(157, 100);
        if (size < 0) {
            throw TarException.damaged(name + " has a negative size");
        }
        TarEntry entry = new TarEntry(name, header.type(), (int) header.number(100, 8), size, modified(pax), target);
        if (entry.kind() == TarEntry.Kind.FOLDER && entry.type() != '5' && size > 0) {
            throw TarException.damaged(name + " is a file by its kind and a folder by its name");
        }
        if (entry.kind() != TarEntry.Kind.FILE && entry.kind() != TarEntry.Kind.UNKNOWN) {
            // No content follows, whatever the size says.
            return new TarEntry(name, entry.type(), entry.mode(), 0, entry.modified(), target);
        }
        content = new BoundedInput(in, size, () -> TarException.cutShort("it stops in the middle of a file"));
        padding = padding(size);
        return entry;
    }

    private Instant modified(PaxRecords pax) throws IOException {
        long seconds = header.number(136, 12);
        return pax.modified().orElse(Instant.ofEpochSecond(Math.clamp(seconds, -LATEST, LATEST)));
    }

    private String text(byte[] extension) throws IOException {
        return header.text(extension, 0, extension.length);
    }

    private byte[] extension(long size) throws IOException {
        if (size < 0 || size > LONGEST_EXTENSION) {
            throw TarException.damaged(
                    "it has an extension header of " + size + " bytes, at most " + LONGEST_EXTENSION + " are taken");
        }
        byte[] extension = in.readNBytes((int) size);
        if (extension.length < size) {
            throw TarException.cutShort("it stops in an extension header");
        }
        padding = padding(size);
        return extension;
    }

    private static int padding(long size) {
        return (int) (-size & TarHeader.BLOCK - 1);
    }
}
