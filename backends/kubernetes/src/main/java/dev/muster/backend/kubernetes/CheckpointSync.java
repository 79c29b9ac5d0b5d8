package dev.muster.backend.kubernetes;

import dev.muster.formats.files.Folders;
import dev.muster.spi.BackendException;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Brings what a pod writes to its checkpoint folder into the job's. An entry (a file or folder at the top) is fetched once it has not changed for
 * two seconds, each file by rename; one that the service has removed since is removed in the pod too.
 */
final class CheckpointSync {
    private static final Duration SETTLED = Duration.ofSeconds(2);
    private static final int FILES_A_CALL = 200;

    /** A program may look for the newest checkpoint at any moment, and finds whole files only. */
    private static final String PUT_IN_PLACE = """
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

    private static final String PUT_ANEW = WHILE_HELD + """
            cd "$1" && find . -type f | while IFS= read -r file; do
                place=/muster/checkpoints/$file
                mkdir -p "${place%/*}" && mv -f "$file" "$place"
            done""";

    private static final String REMOVE = WHILE_HELD + "rm -rf -- \"$@\"";

    private final Exec exec;
    private final Path target;
    private final Path inbox;
    private final Clock clock;
    private final Writer writer;
    private final Map<String, Instant> since = new HashMap<>();
    private final Set<String> fetched = new HashSet<>();
    /** Files that are or were in the pod: one that its program removed does not come back. */
    private final Set<String> known = new HashSet<>();

    private Listing latest = Listing.EMPTY;

    /** Who writes to the folder of the pod. */
    private enum Writer {
        /** Its program. */
        PROGRAM,
        /** All pods of the job see the same folder, so that nothing is brought. */
        ALL,
        /** Nobody yet: its program is held ready, and finds what is in the job's folder when it is to become another. */
        NOBODY
    }

    static CheckpointSync of(PodSeen pod, Exec sidecar, JobFolders folders, Clock clock) {
        Writer unshared = pod.isHeldReady() ? Writer.NOBODY : Writer.PROGRAM;
        return new CheckpointSync(
                sidecar,
                folders.checkpoints(pod.job()),
                folders.process(pod.key()),
                clock,
                pod.has(Labels.CLAIM) ? Writer.ALL : unshared);
    }

    /**
     * @param target   the job's checkpoint folder
     * @param inbox    a folder of the same file system, in which what comes is kept until it is whole
     */
    private CheckpointSync(Exec exec, Path target, Path inbox, Clock clock, Writer writer) {
        this.writer = writer;
        this.exec = exec;
        this.target = target;
        this.inbox = inbox;
        this.clock = clock;
    }

    /** Takes what the folder of the pod holds now. */
    synchronized void listed(Listing listing) {
        Set<String> entries = new TreeSet<>();
        listing.files().keySet().forEach(path -> entries.add(Listing.entry(path)));
        since.keySet().retainAll(entries);
        for (String entry : entries) {
            if (!listing.of(entry).equals(latest.of(entry))) {
                since.put(entry, clock.now());
            }
        }
        latest = listing;
        known.addAll(listing.files().keySet());
    }

    /** The pod was given all that is in the job's folder. */
    synchronized void delivered() {
        known.addAll(inTarget());
    }

    /** Brings into the pod what other processes of the job wrote, each file by rename; what it has itself stays as it is. */
    synchronized void bring() throws BackendException {
        List<String> missing = inTarget().stream().filter(this::lacks).toList();
        if (missing.isEmpty()) {
            return;
        }
        Parcel parcel = new Parcel();
        try {
            for (String path : missing) {
                if (Files.isRegularFile(target.resolve(path))) {
                    parcel.add(target.resolve(path), path);
                }
            }
        } catch (IOException changing) {
            return;
        }
        String brought = exec.text("sh", "-c", "umask 0; mktemp -d /muster/brought.XXXXXX")
                .strip();
        try {
            exec.unpack(parcel, brought, "");
            exec.run("sh", "-c", writer == Writer.NOBODY ? PUT_ANEW : PUT_IN_PLACE, "sh", brought);
        } finally {
            exec.run(PodPaths.BUSYBOX, "rm", "-rf", "--", brought);
        }
        known.addAll(missing);
    }

    private boolean lacks(String path) {
        Optional<Listing.Stat> there = Optional.ofNullable(latest.files().get(path));
        return switch (writer) {
            case PROGRAM -> !known.contains(path);
            case ALL -> false;
            case NOBODY -> there.filter(stat -> Listing.has(target, path, stat)).isEmpty();
        };
    }

    private Set<String> inTarget() {
        Set<String> paths = new TreeSet<>();
        try (Stream<Path> files = Files.walk(target)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> paths.add(target.relativize(file).toString()));
        } catch (IOException | UncheckedIOException changing) {
            return paths;
        }
        return paths;
    }

    /**
     * Fetches what is settled.
     *
     * @param over nobody writes any more: everything is settled
     */
    synchronized void fetch(boolean over) throws BackendException {
        if (writer == Writer.NOBODY) {
            removeWhatIsGone();
            return;
        }
        List<String> wanted = wanted(over);
        for (int from = 0; from < wanted.size(); from += FILES_A_CALL) {
            fetch(wanted.subList(from, Math.min(from + FILES_A_CALL, wanted.size())));
        }
        fetched.addAll(wanted);
        if (!over) {
            for (String entry : pruned()) {
                exec.run(PodPaths.BUSYBOX, "rm", "-rf", "--", PodPaths.CHECKPOINTS + "/" + entry);
                fetched.removeIf(path -> Listing.entry(path).equals(entry));
            }
        }
    }

    private void removeWhatIsGone() throws BackendException {
        Set<String> gone = new TreeSet<>();
        for (String path : latest.files().keySet()) {
            if (!Files.exists(target.resolve(path))) {
                gone.add(path);
            }
        }
        if (!gone.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("sh", "-c", REMOVE, "sh"));
            command.addAll(gone);
            exec.run(command.toArray(String[]::new));
        }
    }

    private List<String> wanted(boolean over) {
        Instant settled = clock.now().minus(SETTLED);
        List<String> wanted = new ArrayList<>();
        latest.files().forEach((path, stat) -> {
            boolean still = over
                    || !since.getOrDefault(Listing.entry(path), Instant.MAX).isAfter(settled);
            boolean pruned = fetched.contains(path) && !Files.exists(target.resolve(path));
            if (still && !pruned && !Listing.has(target, path, stat)) {
                wanted.add(path);
            }
        });
        return wanted;
    }

    /** Entries that were fetched once and that the service has removed. */
    private Set<String> pruned() {
        Set<String> pruned = new TreeSet<>();
        for (String path : fetched) {
            String entry = Listing.entry(path);
            if (latest.files().containsKey(path) && !Files.exists(target.resolve(entry))) {
                pruned.add(entry);
            }
        }
        return pruned;
    }

    private void fetch(List<String> paths) throws BackendException {
        List<String> command =
                new ArrayList<>(List.of(PodPaths.BUSYBOX, "tar", "-c", "-f", "-", "-C", PodPaths.CHECKPOINTS, "--"));
        paths.forEach(path -> command.add("./" + path));
        exec.read(
                output -> {
                    Files.createDirectories(inbox);
                    // This one's alone: a service that was replaced may still be at work.
                    Path incoming = Files.createTempDirectory(inbox, "incoming-");
                    try {
                        Unpacking.unpack(output, incoming);
                        for (String path : paths) {
                            move(incoming.resolve(path), path);
                        }
                    } finally {
                        Folders.delete(incoming);
                    }
                },
                command.toArray(String[]::new));
    }

    private void move(Path from, String path) throws IOException {
        if (Files.exists(from)) {
            Files.createDirectories(target.resolve(path).getParent());
            Files.move(from, target.resolve(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
