package dev.muster.control;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Keys with work to do, now or later. One run per key at a time; news during a run only mark the key, and it is given out again when the
 * run is done. Any thread may call; nothing waits.
 */
final class WorkQueue<K> {
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final TreeSet<Entry<K>> due =
            new TreeSet<>(Comparator.comparing((Entry<K> entry) -> entry.at).thenComparingLong(entry -> entry.order));
    private final Runnable onNews;
    private long orders;

    private static final class Entry<K> {
        final K key;
        Instant at;
        long order;
        boolean running;
        /** Whether it stands in the set of what is due, now or later. */
        boolean listed;

        Entry(K key) {
            this.key = key;
        }
    }

    /** @param onNews called after every change that may make {@link #poll} answer earlier than before */
    WorkQueue(Runnable onNews) {
        this.onNews = onNews;
    }

    /** There is news about the key. */
    void add(K key) {
        addAt(key, Instant.MIN);
    }

    /** The key is to be looked at then, or earlier if that was said before. */
    void addAt(K key, Instant at) {
        synchronized (this) {
            Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
            if (entry.at != null && !at.isBefore(entry.at)) {
                return;
            }
            unlist(entry);
            entry.at = at;
            if (!entry.running) {
                list(entry);
            }
        }
        onNews.run();
    }

    /** A key that is due; the caller runs it and says {@link #done}. */
    synchronized Optional<K> poll(Instant now) {
        if (due.isEmpty() || due.first().at.isAfter(now)) {
            return Optional.empty();
        }
        Entry<K> entry = due.first();
        unlist(entry);
        entry.at = null;
        entry.running = true;
        return Optional.of(entry.key);
    }

    /** The run of the key is over. */
    void done(K key) {
        synchronized (this) {
            Entry<K> entry = entries.get(key);
            entry.running = false;
            if (entry.at == null) {
                entries.remove(key);
                return;
            }
            list(entry);
        }
        onNews.run();
    }

    /** When the next key is due; empty when there is none. */
    synchronized Optional<Instant> next() {
        return due.isEmpty() ? Optional.empty() : Optional.of(due.first().at);
    }

    private void list(Entry<K> entry) {
        entry.order = orders++;
        entry.listed = true;
        due.add(entry);
    }

    private void unlist(Entry<K> entry) {
        if (entry.listed) {
            due.remove(entry);
            entry.listed = false;
        }
    }
}
