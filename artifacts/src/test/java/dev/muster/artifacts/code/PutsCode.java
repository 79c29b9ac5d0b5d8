package dev.muster.artifacts.code;

import java.nio.file.Path;

/** A service of its own that stores the archive it reads. */
final class PutsCode {
    private PutsCode() {}

    public static void main(String[] arguments) throws Exception {
        new FolderCodeStore(Path.of(arguments[0])).put(System.in, 1 << 20);
    }
}
