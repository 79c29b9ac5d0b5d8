package dev.muster.cli.command;

import dev.muster.cli.base.ExitCode;
import java.util.function.Supplier;

/** What happens when the person presses Ctrl-C, or the process is asked to end in another way. */
public interface Interrupts {
    /**
     * From now on, and until the result is closed, an interruption runs the action and ends the process with the code it gives. The
     * action runs on another thread while the command goes on.
     */
    Registration onInterrupt(Supplier<ExitCode> action);

    /** Ends the registration. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** Those of this JVM. */
    static Interrupts ofThisProcess() {
        return action -> {
            Thread hook =
                    new Thread(() -> Runtime.getRuntime().halt(action.get().number()), "interrupt");
            Runtime.getRuntime().addShutdownHook(hook);
            return () -> {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException ending) {
                    // The hook is at work and ends the process.
                }
            };
        };
    }
}
