package dev.muster.artifacts.code;

import dev.muster.artifacts.files.Containment;
import dev.muster.artifacts.files.Sha256;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarException;
import dev.muster.formats.tar.TarReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Unpacks one archive into a new folder that nobody else touches. Nothing is written through a link and nothing outside the folder;
 * whatever could lead out of it is refused.
 */
final class Unpacking {
    private static final String ONLY = "; only files, folders and links are taken";
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final int DEEPEST = 64;
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_PATH = 3_000;
    private static final int DRAINED_AFTER_THE_END = 1 << 20;

    private final Path folder;
    private final long maxBytes;
    private final int mostEntries;
    private final Map<String, TreeEntry> entries = new LinkedHashMap<>();
    private final byte[] buffer = new byte[1 << 16];
    private long bytes;

    Unpacking(Path folder, long maxBytes, int mostEntries) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.mostEntries = mostEntries;
    }

    /** Unpacks and hashes; what was unpacked. */
    Collection<TreeEntry> unpack(InputStream archive) throws IOException {
        InputStream tar = new BufferedInputStream(archive);
        tar.mark(GZIP.length);
        if (Arrays.equals(tar.readNBytes(GZIP.length), GZIP)) {
            throw refused("it is packed by gzip, and only plain tar is taken: tar -cf, without -z");
        }
        tar.reset();
        TarReader reader = new TarReader(tar, CodingErrorAction.REPORT);
        try {
            for (Optional<TarEntry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
                take(entry.get(), reader.content());
            }
        } catch (TarException unreadable) {
            throw refused(unreadable.reason() + (unreadable.isCutShort() ? "; send it whole" : ""));
        }
        tar.readNBytes(DRAINED_AFTER_THE_END);
        for (TreeEntry entry : entries.values()) {
            if (entry instanceof TreeEntry.Link link && !Containment.stays(folder, folder.resolve(link.path()))) {
                throw refused(
                        "the link " + link.path() + " to " + link.target()
                                + " leads out of the folder or round in a circle; put the file itself there, or name it in .musterignore");
            }
        }
        return entries.values();
    }

    private void take(TarEntry entry, InputStream content) throws IOException {
        String path = path(entry.name());
        if (path.isEmpty()) {
            if (entry.kind() != TarEntry.Kind.FOLDER) {
                throw refused("an entry has no name");
            }
            return;
        }
        makeParents(path);
        TreeEntry before = entries.get(path);
        if (before != null) {
            if (before instanceof TreeEntry.Folder && entry.kind() == TarEntry.Kind.FOLDER) {
                return;
            }
            throw refused(path + " is in it twice");
        }
        Path target = resolve(path);
        switch (entry.kind()) {
            case FOLDER -> makeFolder(path);
            case FILE -> put(file(path, target, entry, content));
            case HARD_LINK -> put(copyOf(path, target, path(entry.target())));
            case SYMBOLIC_LINK -> put(link(path, target, entry.target()));
            case DEVICE -> throw refused(entry.name() + " is a device" + ONLY);
            case PIPE -> throw refused(entry.name() + " is a pipe" + ONLY);
            case UNKNOWN -> throw refused(entry.name() + " is of the unknown kind '" + entry.type() + "'" + ONLY);
        }
    }

    /** The path without {@code ./} and slashes at the end, checked. */
    private static String path(String name) throws IOException {
        if (name.startsWith("/")) {
            throw refused(name + " is an absolute path; paths are relative to the code folder");
        }
        if (name.length() > LONGEST_PATH) {
            throw refused("a path in it is longer than " + LONGEST_PATH + " characters");
        }
        StringBuilder path = new StringBuilder();
        int depth = 0;
        for (String part : name.split("/")) {
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (part.equals("..")) {
                throw refused(name + " has .. in its path");
            }
            if (part.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                throw refused("a name in it is longer than " + LONGEST_NAME + " bytes: " + part);
            }
            path.append(depth++ == 0 ? "" : "/").append(part);
        }
        if (depth > DEEPEST) {
            throw refused(name + " lies deeper than " + DEEPEST + " folders");
        }
        return path.toString();
    }

    private void makeParents(String path) throws IOException {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            TreeEntry there = entries.get(parent);
            if (there == null) {
                makeFolder(parent);
            } else if (!(there instanceof TreeEntry.Folder)) {
                throw refused(path + " lies behind " + parent + ", which is no folder");
            }
        }
    }

    private void makeFolder(String path) throws IOException {
        Files.createDirectory(resolve(path));
        put(new TreeEntry.Folder(path));
    }

    private TreeEntry file(String path, Path target, TarEntry entry, InputStream content) throws IOException {
        count(entry.size());
        MessageDigest digest = Sha256.start();
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                digest.update(buffer, 0, count);
                out.write(buffer, 0, count);
            }
        }
        if (entry.isExecutable()) {
            makeExecutable(target);
        }
        return new TreeEntry.File(path, entry.isExecutable(), entry.size(), Sha256.hex(digest));
    }

    private TreeEntry copyOf(String path, Path target, String source) throws IOException {
        if (!(entries.get(source) instanceof TreeEntry.File file)) {
            throw refused(path + " is a hard link to " + source + ", which is no file before it in the archive");
        }
        count(file.size());
        Files.copy(folder.resolve(source), target);
        return new TreeEntry.File(path, file.executable(), file.size(), file.sha256());
    }

    private static TreeEntry link(String path, Path target, String to) throws IOException {
        if (to.isEmpty() || to.startsWith("/")) {
            throw refused("the link " + path + " to '" + to + "' leads out of the folder; put the file itself there");
        }
        try {
            Path kept = Path.of(to);
            Files.createSymbolicLink(target, kept);
            return new TreeEntry.Link(path, kept.toString());
        } catch (InvalidPathException unnameable) {
            throw refused("the target of the link " + path + " cannot be named on this system: " + to);
        }
    }

    private static RefusedArchiveException refused(String why) {
        return new RefusedArchiveException("the code archive is refused: " + why);
    }

    private static RefusedArchiveException tooLarge(String why) {
        return new RefusedArchiveException("the code archive is refused: " + why, true);
    }

    private void count(long more) throws IOException {
        if (more > maxBytes - bytes) {
            throw tooLarge("it unpacks to more than " + maxBytes
                    + " bytes; leave data and results out by naming them in .musterignore");
        }
        bytes += more;
    }

    private void put(TreeEntry entry) throws IOException {
        entries.put(entry.path(), entry);
        if (entries.size() > mostEntries) {
            throw tooLarge("it has more than " + mostEntries
                    + " entries; leave data and results out by naming them in .musterignore");
        }
    }

    private Path resolve(String path) throws IOException {
        try {
            return folder.resolve(path);
        } catch (InvalidPathException unnameable) {
            throw refused(path + " cannot be named on this system; start the service with a UTF-8 locale");
        }
    }

    /** Whoever may read it may execute it, as chmod +x does under the umask. */
    private static void makeExecutable(Path file) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(file));
        permissions.add(PosixFilePermission.OWNER_EXECUTE);
        if (permissions.contains(PosixFilePermission.GROUP_READ)) {
            permissions.add(PosixFilePermission.GROUP_EXECUTE);
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        Files.setPosixFilePermissions(file, permissions);
    }
}
