package dev.muster.artifacts.files;

/** One entry of a folder tree. Its path is relative to the top, with {@code /} between names; the top itself is no entry. */
public sealed interface TreeEntry {
    String path();

    /** A folder. */
    record Folder(String path) implements TreeEntry {}

    /**
     * A regular file.
     *
     * @param executable whether its owner may execute it
     * @param size       in bytes
     * @param sha256     of its bytes, 64 hexadecimal digits
     */
    record File(String path, boolean executable, long size, String sha256) implements TreeEntry {}

    /** A symbolic link and its target as written. */
    record Link(String path, String target) implements TreeEntry {}
}
