package dev.muster.cli.archive;

import java.nio.file.Path;

/**
 * One thing in a code folder.
 *
 * @param path   relative, with slashes
 * @param source where it is
 */
sealed interface CodeEntry {
    String path();

    record Folder(String path) implements CodeEntry {}

    /** A file of so many bytes, when it was looked at. */
    record File(String path, Path source, boolean executable, long size) implements CodeEntry {}

    /** A symbolic link that stays in the folder. */
    record Link(String path, String target) implements CodeEntry {}
}
