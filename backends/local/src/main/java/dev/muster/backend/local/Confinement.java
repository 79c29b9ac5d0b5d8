package dev.muster.backend.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process that runs as another user sees of the home of the service: the folders of its own attempt and job, at their usual
 * paths, and nothing else. The shim is in a mount namespace of its own; there an empty file system takes the place of the home, with
 * those folders bound into it. So the home itself stays the service's alone, and no process of the user outside of the job reaches its files.
 *
 * @param user  as whom the program runs
 * @param home  the home of the service
 * @param stage an empty folder below the home on which the new one is put together
 * @param open  folders below the home that are bound
 * @param read  the same, to be read only
 */
record Confinement(OsUser user, Path home, Path stage, List<Path> open, List<Path> read) {
    /** What gives a shim a mount namespace of its own. */
    static List<String> ownMounts() {
        return List.of(Programs.ofSystem().require("unshare").toString(), "--mount", "--propagation", "private", "--");
    }

    /** Shell commands joined by {@code &&}, run by the shim as root before the program. */
    String enter() {
        List<String> steps = new ArrayList<>();
        steps.add("mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev muster " + quote(stage));
        for (Path folder : open) {
            bind(folder, steps);
        }
        for (Path folder : read) {
            bind(folder, steps);
            steps.add("mount -o remount,bind,ro " + quote(staged(folder)));
        }
        steps.add("mount --move " + quote(stage) + " " + quote(home));
        return String.join(" && ", steps);
    }

    private void bind(Path folder, List<String> steps) {
        steps.add("(umask 022 && mkdir -p " + quote(staged(folder)) + ")");
        steps.add("mount --bind " + quote(folder) + " " + quote(staged(folder)));
    }

    private Path staged(Path folder) {
        return stage.resolve(home.relativize(folder));
    }

    /** What the program is run by, after everything that takes root. Set-uid programs give no rights back. */
    List<String> become() {
        return List.of(
                Programs.ofSystem().require("setpriv").toString(),
                "--reuid=" + user.uid(),
                "--regid=" + user.gid(),
                user.groups().isEmpty()
                        ? "--clear-groups"
                        : "--groups="
                                + String.join(
                                        ",",
                                        user.groups().stream()
                                                .map(group -> Integer.toString(group))
                                                .toList()),
                "--no-new-privs",
                "--inh-caps=-all",
                "--");
    }

    private static String quote(Path path) {
        return LaunchText.quote(path.toString());
    }
}
