package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** {@code /muster/checkpoints} of one pod, by commands in its sidecar. */
final class PodCheckpointFolder implements CheckpointFolder {
    private static final String LIST =
            "cd " + PodPaths.CHECKPOINTS + " && find . -type f -exec stat -c '%s %Y %n' {} + 2>/dev/null; exit 0";

    /** Its exit code says only that a file was gone. */
    private static final String COPY =
            PodPaths.BUSYBOX + " tar -c -f - -C " + PodPaths.CHECKPOINTS + " -- \"$@\" 2>/dev/null; exit 0";

    /** A program may look for the newest checkpoint at any moment, and finds whole files only. */
    private static final String PUT = """
            cd "$1" && find . -type f | while IFS= read -r file; do
                place=/muster/checkpoints/$file
                [ -e "$place" ] || { mkdir -p "${place%/*}" && mv "$file" "$place"; }
            done""";

    /** Before what is done for one that is held ready: not while it becomes an attempt, see {@code take.sh}, nor afterwards, when it writes itself. */
    private static final String WHILE_HELD = """
            cd /muster/state && wait=500
            while ! mkdir taking 2>/dev/null && [ $wait -gt 0 ]; do
                wait=$((wait - 1))
                usleep 20000
            done
            trap 'rmdir /muster/state/taking' EXIT
            [ ! -e before ] || exit 0
            cd /muster/checkpoints && umask 0
            """;

    private static final String PUT_WHILE_HELD = WHILE_HELD + """
            cd "$1" && find . -type f | while IFS= read -r file; do
                place=/muster/checkpoints/$file
                mkdir -p "${place%/*}" && mv -f "$file" "$place"
            done""";

    private static final String REMOVE = "cd " + PodPaths.CHECKPOINTS + " && rm -rf -- \"$@\"";
    private static final String REMOVE_WHILE_HELD = WHILE_HELD + "rm -rf -- \"$@\"";

    private final Exec sidecar;

    PodCheckpointFolder(Exec sidecar) {
        this.sidecar = sidecar;
    }

    @Override
    public Listing look() throws BackendException {
        return Listing.parse(sidecar.text("sh", "-c", LIST));
    }

    @Override
    public void copy(List<String> paths, Path into) throws BackendException {
        sidecar.read(output -> Unpacking.unpack(output, into), command(COPY, paths));
    }

    @Override
    public void put(Parcel files) throws BackendException {
        put(files, PUT);
    }

    @Override
    public void putWhileHeld(Parcel files) throws BackendException {
        put(files, PUT_WHILE_HELD);
    }

    private void put(Parcel files, String inPlace) throws BackendException {
        String brought = sidecar.text("sh", "-c", "umask 0; mktemp -d /muster/brought.XXXXXX")
                .strip();
        try {
            sidecar.unpack(files, brought, "");
            sidecar.run("sh", "-c", inPlace, "sh", brought);
        } finally {
            sidecar.run(PodPaths.BUSYBOX, "rm", "-rf", "--", brought);
        }
    }

    @Override
    public void remove(Collection<String> paths) throws BackendException {
        sidecar.run(command(REMOVE, paths));
    }

    @Override
    public void removeWhileHeld(Collection<String> paths) throws BackendException {
        sidecar.run(command(REMOVE_WHILE_HELD, paths));
    }

    /** With "./" before each path, so that none is taken for an option. */
    private static String[] command(String script, Collection<String> paths) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(paths.stream().map(path -> "./" + path).toList());
        return command.toArray(String[]::new);
    }
}
