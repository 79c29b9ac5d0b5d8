package dev.muster.artifacts.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether a symbolic link stays below a folder, followed name by name as the kernel does. Looking at the text of the target alone
 * would not do: {@code ..} behind another link leads elsewhere than it reads.
 */
public final class Containment {
    private static final int MOST_LINKS = 40;

    private Containment() {}

    /**
     * Whether following the link never leads out of {@code top}, not even on the way. A link to a place inside that does not exist
     * stays; a loop does not.
     */
    public static boolean stays(Path top, Path link) throws IOException {
        Deque<Path> names = new ArrayDeque<>();
        Path at = link.getParent();
        names.push(link.getFileName());
        int followed = 0;
        while (!names.isEmpty()) {
            String name = names.pop().toString();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                if (at.equals(top)) {
                    return false;
                }
                at = at.getParent();
                continue;
            }
            Path next = at.resolve(name);
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            Path target = Files.readSymbolicLink(next);
            if (target.isAbsolute() || ++followed > MOST_LINKS) {
                return false;
            }
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                names.push(target.getName(i));
            }
        }
        return true;
    }
}
