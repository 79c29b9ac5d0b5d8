package dev.muster.formats.tar;

import java.time.Instant;

/**
 * One entry of a tar archive, as the archive gives it: nothing about the name is checked.
 *
 * @param name     path in the archive; that of a folder ends with a slash when it is written
 * @param type     letter of its kind in the archive
 * @param mode     rights, as chmod takes them
 * @param size     bytes of content that follow
 * @param modified written in whole seconds since 1970
 * @param target   of a link, otherwise empty
 */
public record TarEntry(String name, char type, int mode, long size, Instant modified, String target) {
    /** What an entry is. */
    public enum Kind {
        FILE,
        FOLDER,
        SYMBOLIC_LINK,
        /** Another name of a file that came earlier. */
        HARD_LINK,
        DEVICE,
        PIPE,
        /** Of a letter that no standard gives, or of a form that is not read, such as sparse files. */
        UNKNOWN
    }

    public TarEntry {
        if (size < 0) {
            throw new IllegalArgumentException("the size of " + name + " is negative: " + size);
        }
    }

    public static TarEntry file(String name, int mode, long size, Instant modified) {
        return new TarEntry(name, '0', mode, size, modified, "");
    }

    /** @param name without a slash at the end */
    public static TarEntry folder(String name, int mode, Instant modified) {
        return new TarEntry(name + "/", '5', mode, 0, modified, "");
    }

    /** A symbolic link. */
    public static TarEntry link(String name, Instant modified, String target) {
        return new TarEntry(name, '2', 0777, 0, modified, target);
    }

    public Kind kind() {
        return switch (type) {
            // Before POSIX a folder was told by its name.
            case '\0', '0', '7' -> name.endsWith("/") ? Kind.FOLDER : Kind.FILE;
            case '1' -> Kind.HARD_LINK;
            case '2' -> Kind.SYMBOLIC_LINK;
            case '3', '4' -> Kind.DEVICE;
            case '5' -> Kind.FOLDER;
            case '6' -> Kind.PIPE;
            default -> Kind.UNKNOWN;
        };
    }

    /** Whether its owner may execute it. */
    public boolean isExecutable() {
        return (mode & 0100) != 0;
    }
}
