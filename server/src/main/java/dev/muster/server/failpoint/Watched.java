package dev.muster.server.failpoint;

import dev.muster.model.JobRecord;
import dev.muster.spi.Backend.StopHow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A port whose changing calls pass two moments each. What only reads, and what is asked all the time, passes none. */
final class Watched {
    private static final Set<String> EFFECTS = Set.of(
            "Backend.prepare",
            "Backend.place",
            "Backend.start",
            "Backend.stop",
            "Backend.sweep",
            "Backend.collect",
            "Backend.release",
            "Backend.remove",
            "JobStore.accept",
            "JobStore.compareAndSet",
            "JobStore.progress",
            "JobStore.delete",
            "PythonEnvironments.prepare",
            "CheckpointCatalogue.reported",
            "CheckpointCatalogue.choose",
            "CheckpointCatalogue.prune",
            "ModelRegistry.publish",
            "Telemetry.follow",
            "Telemetry.finish",
            "Telemetry.examine",
            "Telemetry.forget",
            "JobFiles.writeStop",
            "JobFiles.clearStop",
            "JobFiles.removeLogs",
            "JobFiles.removeAll");

    private Watched() {}

    static <T> T of(Class<T> port, T part, Moments moments) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    String name = port.getSimpleName() + "." + method.getName();
                    if (!EFFECTS.contains(name) || arguments == null || isRead(name, arguments)) {
                        return call(part, method, arguments);
                    }
                    String point = name + variant(arguments);
                    moments.pass(point + ".before");
                    Object answer = call(part, method, arguments);
                    moments.pass(point + ".after");
                    return answer;
                }));
    }

    /** The two methods named progress: one stores, one reads. */
    private static boolean isRead(String name, Object[] arguments) {
        return name.equals("JobStore.progress") && arguments.length == 1;
    }

    private static String variant(Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof StopHow how) {
                return "." + how;
            }
        }
        return arguments[0] instanceof JobRecord job ? "." + job.state().text() : "";
    }

    private static Object call(Object part, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(part, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
