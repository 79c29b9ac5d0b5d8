package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** How replicas over one store hear of what the others write. */
final class Hearsay {
    private static final Set<String> WRITES = Set.of("accept", "compareAndSet", "delete");

    private final List<Listener> listeners = new ArrayList<>();

    private record Listener(Object replica, Consumer<JobId> hears) {}

    /** The store as one more replica has it. */
    JobStore of(JobStore store) {
        Object replica = new Object();
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) -> call(replica, store, method, arguments));
    }

    @SuppressWarnings("unchecked")
    private Object call(Object replica, JobStore store, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("listen")) {
            listeners.add(new Listener(replica, (Consumer<JobId>) arguments[0]));
            return null;
        }
        try {
            Object answer = method.invoke(store, arguments);
            if (WRITES.contains(method.getName())) {
                JobId job = arguments[0] instanceof JobRecord record ? record.id() : (JobId) arguments[0];
                List.copyOf(listeners).stream()
                        .filter(listener -> listener.replica() != replica)
                        .forEach(listener -> listener.hears().accept(job));
            }
            return answer;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
