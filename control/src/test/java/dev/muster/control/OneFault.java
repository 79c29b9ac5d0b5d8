package dev.muster.control;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Lets one method of one port fail some times, before it is carried out or after. */
final class OneFault implements World.Wrapper {
    private final Class<?> failing;
    private final String method;
    private final boolean after;
    private final RuntimeException problem;
    private int times;

    OneFault(Class<?> port, String method, boolean after, RuntimeException problem, int times) {
        this.failing = port;
        this.method = method;
        this.after = after;
        this.problem = problem;
        this.times = times;
    }

    @Override
    public <T> T around(Class<T> port, T target) {
        if (port != failing) {
            return target;
        }
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, called, arguments) -> {
                    boolean fails = called.getName().equals(method) && times-- > 0;
                    if (fails && !after) {
                        throw problem;
                    }
                    try {
                        Object answer = called.invoke(target, arguments);
                        if (fails) {
                            throw problem;
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }
}
