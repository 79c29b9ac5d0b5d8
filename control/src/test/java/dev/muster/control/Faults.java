package dev.muster.control;

import dev.muster.model.Cause;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore;
import dev.muster.spi.ModelRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What can go wrong between the control plane and a port: the service dies before or after any call, a call fails, its answer is lost, it
 * is carried out twice, nothing can be reached for a while.
 */
final class Faults implements World.Wrapper {
    private static final Set<String> LISTENERS =
            Set.of("settleWindow", "hasOwnPython", "listen", "capacity", "kind", "check", "close", "model");
    private static final Set<String> REPEATABLE =
            Set.of("start", "stop", "sweep", "release", "place", "remove", "publish");

    private final Random random;
    private final Consumer<String> trace;
    boolean on = true;
    boolean contact = true;

    Faults(Random random, Consumer<String> trace) {
        this.random = random;
        this.trace = trace;
    }

    @Override
    public <T> T around(Class<T> port, T target) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(port, target, method, arguments)));
    }

    private boolean chance(int oneIn) {
        return on && random.nextInt(oneIn) == 0;
    }

    private Object call(Class<?> port, Object target, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (LISTENERS.contains(name)) {
            return invoke(target, method, arguments);
        }
        boolean isRead = port == JobStore.class && !name.equals("compareAndSet") && !name.equals("accept");
        die(port, name, isRead ? 4000 : 250, "before");
        if (port == Backend.class && !contact) {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "nothing is reached");
        }
        if (chance(isRead ? 4000 : 60)) {
            fail(port, name, "before");
        }
        Object answer = invoke(target, method, arguments);
        if (REPEATABLE.contains(name) && chance(12)) {
            trace.accept("    twice " + name);
            answer = invoke(target, method, arguments);
        }
        die(port, name, isRead ? 4000 : 250, "after");
        if (chance(isRead ? 4000 : 60)) {
            fail(port, name, "after");
        }
        return answer;
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private void die(Class<?> port, String name, int oneIn, String when) {
        if (chance(oneIn)) {
            trace.accept("    the service dies " + when + " " + port.getSimpleName() + "." + name);
            throw new AdoptionTest.Killed();
        }
    }

    private void fail(Class<?> port, String name, String when) throws Exception {
        trace.accept("    fails " + when + " " + port.getSimpleName() + "." + name);
        if (port == Backend.class) {
            boolean failed = random.nextBoolean();
            Cause cause = name.equals("place") ? Cause.PORT_LOST : Cause.LAUNCH_FAILED;
            throw new BackendException(
                    failed ? BackendException.Kind.FAILED : BackendException.Kind.NO_CONTACT, cause, "simulated");
        }
        if (port == JobStore.class) {
            throw new JobStore.StoreException("simulated", true, null);
        }
        if (port == ModelRegistry.class && name.equals("publish")) {
            throw new ModelRegistry.PublishException(Cause.DISK_FULL, "simulated");
        }
        if (port == JobFiles.class) {
            throw new IOException("simulated");
        }
        throw new SimulatedException();
    }

    /** A part of Muster fails in a way that it does not declare. */
    static final class SimulatedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SimulatedException() {
            super("simulated");
        }
    }
}
