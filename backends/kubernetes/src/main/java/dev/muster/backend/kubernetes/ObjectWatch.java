package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Objects of this service by name, as the API server tells of them: listed once, then watched, listed anew whenever the watch was broken. */
abstract class ObjectWatch<S extends ObjectWatch.Seen> implements AutoCloseable {
    static final long RESYNC_MILLIS = 60_000;

    /** What is known of one. */
    interface Seen {
        String name();

        JobId job();
    }

    final Map<String, S> objects = new ConcurrentHashMap<>();

    /** Of each job, so that a pod's news cost the same however many jobs there are. */
    private final Map<JobId, Set<String>> names = new ConcurrentHashMap<>();

    /** What an informer tells; objects that are not read are none of ours. */
    final <R> ResourceEventHandler<R> handler(Function<R, Optional<S>> reader) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(R object) {
                reader.apply(object).ifPresent(seen -> {
                    name(seen);
                    take(seen);
                });
            }

            @Override
            public void onUpdate(R before, R object) {
                onAdd(object);
                if (reader.apply(object).isEmpty()) {
                    reader.apply(before).ifPresent(seen -> unmarked(seen));
                }
            }

            @Override
            public void onDelete(R object, boolean stateUnknown) {
                reader.apply(object).ifPresent(seen -> {
                    gone(seen);
                    unnameGone(seen);
                });
            }
        };
    }

    /** It is there, or has changed. */
    abstract void take(S seen);

    abstract void gone(S seen);

    /**
     * It is there, and has lost the labels or annotations by which it is known; nothing by itself.
     *
     * @param before as it was when it had them
     */
    void unmarked(S before) {}

    /** One that was just made or asked for, which the watch tells of later. */
    void known(S object) {
        name(object);
        objects.putIfAbsent(object.name(), object);
    }

    void forget(String name) {
        S known = objects.remove(name);
        if (known != null) {
            unnameGone(known);
        }
    }

    private void name(S object) {
        names.compute(object.job(), (job, some) -> {
            Set<String> all = some == null ? ConcurrentHashMap.newKeySet() : some;
            all.add(object.name());
            return all;
        });
    }

    final void unnameGone(S object) {
        names.computeIfPresent(object.job(), (job, all) -> {
            if (!objects.containsKey(object.name())) {
                all.remove(object.name());
            }
            return all.isEmpty() ? null : all;
        });
    }

    Optional<S> named(String name) {
        return Optional.ofNullable(objects.get(name));
    }

    List<S> all() {
        return List.copyOf(objects.values());
    }

    List<S> of(JobId job) {
        return names.getOrDefault(job, Set.of()).stream()
                .flatMap(name -> named(name).stream())
                .sorted(Comparator.comparing(Seen::name))
                .toList();
    }

    @Override
    public abstract void close();
}
