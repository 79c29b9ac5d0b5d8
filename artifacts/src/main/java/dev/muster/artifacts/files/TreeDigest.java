package dev.muster.artifacts.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The digest of a folder tree: {@code sha256:} and the SHA-256 of its canonical form, which is the same for equal trees however they
 * were stored. The canonical form is the bytes
 *
 * <pre>{@code
 * muster-tree-1\n
 * d LENGTH:PATH\n                     a folder
 * f LENGTH:PATH SIZE SHA256\n         a file, x instead of f when its owner may execute it
 * l LENGTH:PATH LENGTH:TARGET\n       a symbolic link
 * }</pre>
 *
 * one line an entry, in the order of the unsigned bytes of the paths. Paths and targets are UTF-8, LENGTH counts their bytes, numbers
 * are decimal, hashes lower-case hexadecimal. Every folder but the top is listed, also the ones an archive only implies. Times, owners
 * and all other mode bits do not count.
 */
public final class TreeDigest {
    private static final Pattern FORM = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Comparator<TreeEntry> ORDER =
            (first, second) -> Arrays.compareUnsigned(utf8(first.path()), utf8(second.path()));

    private TreeDigest() {}

    /** The digest of the entries, given in any order. */
    public static String of(Collection<? extends TreeEntry> entries) {
        MessageDigest digest = Sha256.start();
        digest.update(utf8("muster-tree-1\n"));
        entries.stream().sorted(ORDER).forEach(entry -> add(digest, entry));
        return "sha256:" + Sha256.hex(digest);
    }

    /** Whether the text has the form of a digest. */
    public static boolean isDigest(String text) {
        return FORM.matcher(text).matches();
    }

    private static void add(MessageDigest digest, TreeEntry entry) {
        switch (entry) {
            case TreeEntry.Folder folder -> line(digest, "d", folder.path(), "");
            case TreeEntry.File file ->
                line(digest, file.executable() ? "x" : "f", file.path(), " " + file.size() + " " + file.sha256());
            case TreeEntry.Link link ->
                line(digest, "l", link.path(), " " + utf8(link.target()).length + ":" + link.target());
        }
    }

    private static void line(MessageDigest digest, String kind, String path, String rest) {
        digest.update(utf8(kind + " " + utf8(path).length + ":" + path + rest + "\n"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
