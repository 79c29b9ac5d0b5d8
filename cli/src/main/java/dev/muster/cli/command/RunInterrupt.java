package dev.muster.cli.command;

import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What Ctrl-C does while a job is followed: the command ends and the job goes on, or the job is cancelled and the command ends with
 * it, as the person chose.
 */
final class RunInterrupt implements AutoCloseable {
    private final Session session;
    private final String job;
    private final Supplier<String> state;
    private final CompletableFuture<ExitCode> end = new CompletableFuture<>();
    private final Interrupts.Registration registration;

    /**
     * @param state the job's, as far as it was seen
     * @param leave leaves the screen
     * @param say   shows a line in the view, which goes on
     */
    RunInterrupt(
            Session session, String job, Supplier<String> state, boolean cancel, Runnable leave, Consumer<String> say) {
        this.session = session;
        this.job = job;
        this.state = state;
        this.registration = session.interrupts().onInterrupt(() -> cancel ? cancel(say) : detach(leave));
    }

    private ExitCode detach(Runnable leave) {
        leave.run();
        session.notes().say(left(job, state.get()));
        return ExitCode.DETACHED;
    }

    /** How a person comes back to a job that goes on. */
    static String left(String job, String state) {
        String goesOn = switch (state) {
            case "Queued" -> "waiting in its queue";
            case "Suspended" -> "suspended";
            case "Stopping" -> "stopping";
            default -> "running";
        };
        return "left " + job + " " + goesOn + "; follow it: muster logs -f " + job + "    stop it: muster cancel "
                + job;
    }

    private ExitCode cancel(Consumer<String> say) {
        try {
            say.accept("cancelling " + job + "; this ends when all its processes are gone");
            session.api().cancel(job);
            return end.get();
        } catch (Failure failure) {
            session.notes().say("the job was not cancelled: " + failure.getMessage());
            return failure.exitCode();
        } catch (InterruptedException | ExecutionException gone) {
            return ExitCode.DETACHED;
        }
    }

    /** The command ends with this; an interruption that waits for it ends too. */
    ExitCode ended(ExitCode code) {
        end.complete(code);
        return code;
    }

    @Override
    public void close() {
        end.complete(ExitCode.DETACHED);
        registration.close();
    }
}
