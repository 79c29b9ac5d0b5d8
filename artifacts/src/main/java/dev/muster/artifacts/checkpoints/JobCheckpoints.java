package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.CheckpointIndex.Known;
import dev.muster.artifacts.checkpoints.CheckpointIndex.Recorded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What this service knows of the checkpoints of one job. Any thread may call; nothing here reads whole files. */
final class JobCheckpoints {
    private record Checked(String signature, Set<String> expectedMarkers, Optional<String> missing) {}

    private final Path folder;
    private final CheckpointIndex index;
    private final Stillness stillness;
    private final Map<String, Checked> checked = new HashMap<>();
    private final Set<String> beingRead = new HashSet<>();

    /**
     * @param folder    MUSTER_CHECKPOINT_DIR
     * @param indexFile where digests are recorded
     */
    JobCheckpoints(Path folder, Path indexFile, Stillness stillness) {
        this.folder = folder;
        this.index = CheckpointIndex.open(indexFile);
        this.stillness = stillness;
    }

    Path folder() {
        return folder;
    }

    /** All entries as they are now, newest first. */
    synchronized List<Seen> look() throws IOException {
        List<Entry> entries = Scan.folder(folder, index.reported());
        Set<String> names = entries.stream().map(Entry::name).collect(Collectors.toSet());
        checked.keySet().retainAll(names);
        stillness.keepOnly(names);
        index.keepOnly(names);
        Set<String> markers = Structure.expectedMarkers(entries);
        List<Seen> seen = new ArrayList<>();
        for (Entry entry : entries) {
            seen.add(look(entry, markers));
        }
        return seen;
    }

    private Seen look(Entry entry, Set<String> markers) throws IOException {
        String signature = entry.signature();
        Known known = index.of(entry.name());
        Optional<Recorded> recorded =
                known.recorded().filter(record -> record.signature().equals(signature));
        boolean changed = known.recorded().isPresent() && recorded.isEmpty() && !mayBeRewritten(entry, known);
        boolean settled = recorded.isPresent()
                || known.reported().filter(signature::equals).isPresent()
                || stillness.isStill(entry, folder.getParent());
        return new Seen(entry, missing(entry, signature, markers), settled, recorded, changed);
    }

    private Optional<String> missing(Entry entry, String signature, Set<String> markers) {
        Checked before = checked.get(entry.name());
        if (before == null
                || !before.signature().equals(signature)
                || !before.expectedMarkers().equals(markers)) {
            before = new Checked(signature, markers, Structure.missing(entry, markers));
            checked.put(entry.name(), before);
        }
        return before.missing();
    }

    /** A name without a step, such as {@code last.pt}, is written again and again. */
    private static boolean mayBeRewritten(Entry entry, Known known) {
        return known.rewritten() || entry.step().isEmpty();
    }

    /** Believes a report about the entry when its structure is complete; what was recorded before of that name is void. */
    synchronized boolean reported(String name) throws IOException {
        Set<String> named = new HashSet<>(index.reported());
        named.add(name);
        List<Entry> entries = Scan.folder(folder, named);
        Set<String> markers = Structure.expectedMarkers(entries);
        for (Entry entry : entries) {
            String signature = entry.signature();
            if (entry.name().equals(name) && missing(entry, signature, markers).isEmpty()) {
                Optional<Recorded> recorded = index.of(name)
                        .recorded()
                        .filter(record -> record.signature().equals(signature));
                index.put(name, new Known(recorded, Optional.of(signature), false));
                index.save();
                return true;
            }
        }
        return false;
    }

    /** Takes the digest of exactly this content down, once. */
    synchronized void record(Entry entry, String digest) throws IOException {
        Known known = index.of(entry.name());
        index.put(
                entry.name(), new Known(Optional.of(new Recorded(entry.signature(), digest)), known.reported(), false));
        index.save();
    }

    /** An attempt starts from this one (or from nothing): whatever is not older may be written anew. */
    synchronized void startedFrom(Optional<Entry> chosen, List<Seen> all) throws IOException {
        boolean any = false;
        for (Seen seen : all) {
            boolean later = seen.entry().step().isPresent()
                    && (chosen.isEmpty()
                            || chosen.get().step().isEmpty()
                            || seen.entry().step().getAsLong()
                                    >= chosen.get().step().getAsLong());
            Known known = index.of(seen.name());
            if (later && known.recorded().isPresent() && !known.rewritten()) {
                index.put(seen.name(), new Known(known.recorded(), known.reported(), true));
                any = true;
            }
        }
        if (any) {
            index.save();
        }
    }

    /** Whether the caller shall read this content in the background; true once until {@link #read}. */
    synchronized boolean shallRead(Seen seen) {
        return seen.missing().isEmpty()
                && seen.settled()
                && seen.recorded().isEmpty()
                && !EntryName.isUnfinished(seen.name())
                && beingRead.add(seen.name() + "\0" + seen.entry().signature());
    }

    /** The content was read; where that proved nothing, it is not read in the background again. */
    synchronized void read(Seen seen, boolean again) {
        if (again) {
            beingRead.remove(seen.name() + "\0" + seen.entry().signature());
        }
    }
}
