package dev.muster.backend.kubernetes;

import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarException;
import dev.muster.formats.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Unpacks a tar archive that a pod sends. A name that leaves the folder is refused; links, devices and whatever else is no file or folder
 * are passed over.
 */
final class Unpacking {
    private Unpacking() {}

    /** Reads to the end of the archive. */
    static void unpack(InputStream in, Path folder) throws IOException {
        TarReader tar = new TarReader(in, CodingErrorAction.REPLACE);
        try {
            for (Optional<TarEntry> entry = tar.next(); entry.isPresent(); entry = tar.next()) {
                take(entry.get(), tar.content(), folder);
            }
        } catch (TarException unreadable) {
            String what = unreadable.isCutShort()
                    ? "what the pod sent breaks off"
                    : "what the pod sent cannot be read: " + unreadable.reason();
            throw (IOException) new ProtocolException(what).initCause(unreadable);
        }
    }

    private static void take(TarEntry entry, InputStream content, Path folder) throws IOException {
        String name = entry.name();
        Path target =
                folder.resolve(name.startsWith("./") ? name.substring(2) : name).normalize();
        if (!target.startsWith(folder)) {
            throw new ProtocolException("what the pod sent would leave its folder: " + name);
        }
        switch (entry.kind()) {
            case FOLDER -> Files.createDirectories(target);
            case FILE -> {
                Files.createDirectories(target.getParent());
                // Never through a link that an earlier file of this name may be.
                Files.deleteIfExists(target);
                Files.copy(content, target);
                if (entry.isExecutable()) {
                    target.toFile().setExecutable(true);
                }
                Files.setLastModifiedTime(target, FileTime.from(entry.modified()));
            }
            case SYMBOLIC_LINK, HARD_LINK, DEVICE, PIPE, UNKNOWN -> {
                // Passed over.
            }
        }
    }
}
