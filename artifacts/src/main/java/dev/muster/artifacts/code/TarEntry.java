package dev.muster.artifacts.code;

/**
 * One entry of a tar archive, as the archive gives it: nothing about the name is checked yet.
 *
 * @param name       path in the archive
 * @param kind       what it is
 * @param executable whether the owner may execute it
 * @param size       bytes of content that follow; 0 for all but files
 * @param target     of a link, otherwise empty
 */
record TarEntry(String name, Kind kind, boolean executable, long size, String target) {
    enum Kind {
        FILE,
        FOLDER,
        SYMBOLIC_LINK,
        /** Another name of a file that came earlier. */
        HARD_LINK
    }
}
