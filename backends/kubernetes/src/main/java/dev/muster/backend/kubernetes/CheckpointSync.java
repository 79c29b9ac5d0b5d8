package dev.muster.backend.kubernetes;

import dev.muster.formats.files.Folders;
import dev.muster.spi.BackendException;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import dev.muster.spi.NotKeptException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Brings what a pod writes to its checkpoint folder into the job's. An entry (a file or folder at the top) is fetched once it has not changed for
 * two seconds, whatever else in the folder changes, or at once where its program says that it is whole; each file by rename. One that the service has
 * removed since is removed in the pod too.
 */
final class CheckpointSync {
    private static final Duration SETTLED = Duration.ofSeconds(2);
    /** A program that saves more often than its checkpoints can be carried is not to be late with all else it tells. */
    private static final Duration BETWEEN_REPORTED = Duration.ofSeconds(1);

    private static final int FILES_A_CALL = 200;

    private final CheckpointFolder pod;
    private final Path target;
    private final Path inbox;
    private final Clock clock;
    private final Writer writer;
    private final Map<String, Instant> since = new HashMap<>();
    private final Set<String> fetched = new HashSet<>();
    /** Files that are or were in the pod: one that its program removed does not come back. */
    private final Set<String> known = new HashSet<>();
    /** As they were put into the pod; one that has changed since is the program's own. */
    private final Map<String, Listing.Stat> brought = new HashMap<>();
    /** Files that were seen to change here. */
    private final Set<String> own = new HashSet<>();

    private Optional<Listing> seen = Optional.empty();
    private Instant nextReported = Instant.MIN;

    /** Who writes to the folder of the pod. */
    enum Writer {
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
                new PodCheckpointFolder(sidecar),
                folders.checkpoints(pod.job()),
                folders.process(pod.key()),
                clock,
                pod.has(Labels.CLAIM) ? Writer.ALL : unshared);
    }

    /**
     * @param target   the job's checkpoint folder
     * @param inbox    a folder of the same file system, in which what comes is kept until it is whole
     */
    CheckpointSync(CheckpointFolder pod, Path target, Path inbox, Clock clock, Writer writer) {
        this.pod = pod;
        this.target = target;
        this.inbox = inbox;
        this.clock = clock;
        this.writer = writer;
    }

    /** Takes what the folder of the pod holds now. */
    synchronized void listed(Listing listing) {
        Listing before = seen.orElse(Listing.EMPTY);
        Set<String> entries = new TreeSet<>();
        listing.files().keySet().forEach(path -> entries.add(Listing.entry(path)));
        since.keySet().retainAll(entries);
        for (String entry : entries) {
            if (!listing.of(entry).equals(before.of(entry))) {
                since.put(entry, clock.now());
            }
        }
        if (seen.isPresent()) {
            listing.files().forEach((path, stat) -> {
                if (!stat.equals(before.files().get(path)) && !stat.equals(brought.get(path))) {
                    own.add(path);
                }
            });
        }
        seen = Optional.of(listing);
        known.addAll(listing.files().keySet());
    }

    private Listing latest() {
        return seen.orElse(Listing.EMPTY);
    }

    /** Looks by itself at what the folder of the pod holds now. */
    synchronized void look() throws BackendException {
        listed(pod.look());
    }

    /** The pod was given all that is in the job's folder. */
    synchronized void delivered() {
        for (String path : inTarget()) {
            known.add(path);
            Listing.stat(target, path).ifPresent(stat -> brought.put(path, stat));
        }
    }

    /** Brings into the pod what other processes of the job wrote, each file by rename; what it has itself stays as it is. */
    synchronized void bring() throws BackendException {
        List<String> missing = inTarget().stream().filter(this::lacks).toList();
        if (missing.isEmpty()) {
            return;
        }
        Parcel parcel = new Parcel();
        Map<String, Listing.Stat> stats = new HashMap<>();
        try {
            for (String path : missing) {
                Optional<Listing.Stat> stat = Listing.stat(target, path);
                if (stat.isPresent()) {
                    stats.put(path, stat.get());
                    parcel.add(target.resolve(path), path);
                }
            }
        } catch (IOException changing) {
            return;
        }
        if (writer == Writer.NOBODY) {
            pod.putWhileHeld(parcel);
        } else {
            pod.put(parcel);
        }
        brought.putAll(stats);
        known.addAll(missing);
    }

    private boolean lacks(String path) {
        Optional<Listing.Stat> there = Optional.ofNullable(latest().files().get(path));
        return switch (writer) {
            case PROGRAM -> !known.contains(path);
            case ALL -> false;
            case NOBODY -> !there.equals(Listing.stat(target, path));
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

    /** Fetches what is settled. */
    synchronized void fetch() throws BackendException {
        if (writer == Writer.NOBODY) {
            removeWhatIsGone();
            return;
        }
        Instant settled = clock.now().minus(SETTLED);
        fetch(wanted(entry -> !since.getOrDefault(entry, Instant.MAX).isAfter(settled)), true);
        for (String entry : pruned()) {
            pod.remove(List.of(entry));
            fetched.removeIf(path -> Listing.entry(path).equals(entry));
        }
    }

    /** Fetches everything: nobody writes any more. */
    synchronized void fetchLast() throws BackendException {
        look();
        if (writer == Writer.NOBODY) {
            removeWhatIsGone();
        } else {
            fetch(wanted(entry -> true), false);
        }
    }

    /**
     * Fetches what the program says is whole, unless it has said so of something less than a second ago.
     *
     * @param names checkpoints as it calls them: entries, or what the names of several files begin with
     */
    synchronized void fetchReported(Collection<String> names) throws BackendException {
        if (writer == Writer.NOBODY || names.isEmpty() || clock.now().isBefore(nextReported)) {
            return;
        }
        look();
        fetch(wanted(entry -> names.stream().anyMatch(name -> Listing.isPartOf(entry, name))), true);
        nextReported = clock.now().plus(BETWEEN_REPORTED);
    }

    private void removeWhatIsGone() throws BackendException {
        Set<String> gone = new TreeSet<>();
        for (String path : latest().files().keySet()) {
            if (!Files.exists(target.resolve(path))) {
                gone.add(path);
            }
        }
        if (!gone.isEmpty()) {
            pod.removeWhileHeld(gone);
        }
    }

    private List<String> wanted(Predicate<String> entries) {
        return latest().files().entrySet().stream()
                .filter(file -> entries.test(Listing.entry(file.getKey())))
                .filter(file -> isNews(file.getKey(), file.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether the job's folder lacks a file, or has an older one. What another process wrote, and this pod was given once, may be newer there. */
    private boolean isNews(String path, Listing.Stat stat) {
        Optional<Listing.Stat> there = Listing.stat(target, path);
        if (there.isEmpty()) {
            return !fetched.contains(path);
        }
        return !there.get().equals(stat)
                && (own.contains(path) || stat.seconds() >= there.get().seconds());
    }

    /** Entries that were fetched once and that the service has removed. */
    private Set<String> pruned() {
        Set<String> pruned = new TreeSet<>();
        for (String path : fetched) {
            String entry = Listing.entry(path);
            if (latest().files().containsKey(path) && !Files.exists(target.resolve(entry))) {
                pruned.add(entry);
            }
        }
        return pruned;
    }

    private void fetch(List<String> wanted, boolean mayChange) throws BackendException {
        for (int from = 0; from < wanted.size(); from += FILES_A_CALL) {
            fetchSome(wanted.subList(from, Math.min(from + FILES_A_CALL, wanted.size())), mayChange);
        }
    }

    /** @param mayChange somebody may write to them meanwhile, so that what was copied is whole only where they are afterwards as they were before */
    private void fetchSome(List<String> paths, boolean mayChange) throws BackendException {
        try {
            Files.createDirectories(inbox);
            // This one's alone: a service that was replaced may still be at work.
            Path incoming = Files.createTempDirectory(inbox, "incoming-");
            try {
                pod.copy(paths, incoming);
                Listing before = latest();
                if (mayChange) {
                    look();
                }
                for (String path : paths) {
                    String entry = Listing.entry(path);
                    if (latest().of(entry).equals(before.of(entry))) {
                        move(incoming.resolve(path), path);
                    }
                }
            } finally {
                Folders.delete(incoming);
            }
        } catch (IOException full) {
            throw new NotKeptException("checkpoints of a pod", full);
        }
    }

    private void move(Path from, String path) throws IOException {
        if (Files.exists(from)) {
            Files.createDirectories(target.resolve(path).getParent());
            Files.move(from, target.resolve(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            fetched.add(path);
        }
    }
}
