package dev.muster.control;

import dev.muster.control.decide.Admission;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** Who waits and what is held on each backend, kept beside the store so that admission need not read it. Any thread may call. */
final class Board {
    private final Map<BackendKind, TreeSet<Admission.Waiting>> waiting = new EnumMap<>(BackendKind.class);
    private final Map<BackendKind, Capacity> held = new EnumMap<>(BackendKind.class);
    private final Map<JobId, Entry> entries = new HashMap<>();

    private record Entry(BackendKind backend, boolean waits, Admission.Waiting job) {}

    /** Takes over where a job stands now. */
    synchronized void put(JobRecord job) {
        forget(job.id());
        boolean waits = job.state() == JobState.QUEUED;
        if (!waits && !job.state().holdsCapacity()) {
            return;
        }
        Entry entry = new Entry(job.spec().backend(), waits, Admission.Waiting.of(job));
        entries.put(job.id(), entry);
        if (waits) {
            queue(entry.backend()).add(entry.job());
        } else {
            held.merge(entry.backend(), entry.job().demand(), Capacity::plus);
        }
    }

    synchronized void forget(JobId id) {
        Entry entry = entries.remove(id);
        if (entry != null && entry.waits()) {
            queue(entry.backend()).remove(entry.job());
        } else if (entry != null) {
            held.merge(entry.backend(), Capacity.ZERO.minus(entry.job().demand()), Capacity::plus);
        }
    }

    /** Who may start now on a backend that has so much in all. */
    synchronized Admission.Outcome admit(BackendKind backend, Capacity whole) {
        return Admission.admit(queue(backend), whole, held(backend));
    }

    synchronized Capacity held(BackendKind backend) {
        return held.getOrDefault(backend, Capacity.ZERO);
    }

    /** Backends that somebody waits for. */
    synchronized List<BackendKind> waitedFor() {
        List<BackendKind> kinds = new ArrayList<>();
        waiting.forEach((kind, queue) -> {
            if (!queue.isEmpty()) {
                kinds.add(kind);
            }
        });
        return kinds;
    }

    /** Place in the queue, from 1; empty for a job that does not wait. */
    synchronized OptionalInt position(JobId id) {
        Entry entry = entries.get(id);
        if (entry == null || !entry.waits()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(queue(entry.backend()).headSet(entry.job(), true).size());
    }

    /** Why a job waits, in a few words; empty for one that does not. */
    synchronized Optional<String> whyWaiting(JobId id, Capacity whole) {
        Entry entry = entries.get(id);
        if (entry == null || !entry.waits()) {
            return Optional.empty();
        }
        Admission.Waiting first = queue(entry.backend()).first();
        if (!first.id().equals(id)) {
            return Optional.of("waits behind job " + first.id());
        }
        return Optional.of("waits for room: it asks for " + text(first.demand()) + "; free are "
                + text(whole.minus(held(entry.backend()))));
    }

    private static String text(Capacity amount) {
        return amount.processes() + " processes, " + amount.milliCpus() / 1000.0 + " cpus, "
                + amount.memoryBytes() / (1 << 20) + " MiB, " + amount.gpus() + " gpus";
    }

    private TreeSet<Admission.Waiting> queue(BackendKind backend) {
        return waiting.computeIfAbsent(backend, kind -> new TreeSet<>(Admission.Waiting.ORDER));
    }
}
