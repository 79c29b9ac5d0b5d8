package dev.muster.backend.local;

import java.util.List;
import java.util.Optional;

/**
 * A user of the machine, as whom processes run. Never root.
 *
 * @param name   login name; the number where there is none
 * @param uid    user id
 * @param gid    primary group
 * @param groups supplementary groups
 * @param home   home folder; empty for a user without an account
 */
public record OsUser(String name, int uid, int gid, List<Integer> groups, Optional<String> home) {
    public OsUser {
        groups = List.copyOf(groups);
        if (uid <= 0 || gid < 0) {
            throw new IllegalArgumentException("processes of jobs run as a user that is not root, not as " + uid);
        }
    }

    /** One that is known by number alone, without supplementary groups. */
    public static OsUser numbered(int uid, int gid) {
        return new OsUser(Integer.toString(uid), uid, gid, List.of(), Optional.empty());
    }
}
