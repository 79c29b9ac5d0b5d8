package dev.muster.cli.embedded;

import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Whose MUSTER_HOME is. Where others own it or may write to it, what lies there may be theirs: a file that sends tokens and secrets to
 * them, or a link in the place of a file that is about to be written. So nothing is believed or written there.
 */
final class HomeOwner {
    private HomeOwner() {}

    /**
     * A home that is not there yet is fine.
     *
     * @param me name of the user of this process
     * @throws Failure when it is somebody else's, or others may write to it
     */
    static void check(Path home, String me) {
        if (!Files.isDirectory(home)) {
            return;
        }
        try {
            PosixFileAttributes attributes = Files.readAttributes(home, PosixFileAttributes.class);
            String owner = attributes.owner().getName();
            if (!owner.equals(me)) {
                throw Failure.refused("MUSTER_HOME " + home + " belongs to " + owner + ", not to " + me
                        + ": set another MUSTER_HOME");
            }
            Set<PosixFilePermission> permissions = attributes.permissions();
            if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw Failure.refused("MUSTER_HOME " + home + " can be written by others ("
                        + PosixFilePermissions.toString(permissions)
                        + "): see that nothing in it is theirs, then run chmod go-w " + home);
            }
        } catch (IOException | UnsupportedOperationException failed) {
            throw HomeFiles.unusable("the owner of MUSTER_HOME " + home + " cannot be told", failed);
        }
    }
}
