package dev.muster.model;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One attempt of one process, as it is kept for ever.
 *
 * @param name       the process
 * @param attempt    its number, from 1
 * @param groupAttempt the attempt of the group it belongs to
 * @param state      its state
 * @param exit       how it ended, once it has
 * @param pid        process id on its host, where there is one
 * @param address    {@code host:port} or host as its peers reach it, once known
 * @param startedAt  when it was started, once it was
 * @param joined     whether it was ever seen to have joined
 * @param stopAsked  when Muster asked it to end
 */
public record Attempt(
        ProcessName name,
        int attempt,
        int groupAttempt,
        ProcessState state,
        Optional<Exit> exit,
        OptionalLong pid,
        Optional<String> address,
        Optional<Instant> startedAt,
        boolean joined,
        Optional<Instant> stopAsked) {

    /** An attempt that has not been started. */
    public static Attempt waiting(ProcessName name, int attempt, int groupAttempt) {
        return new Attempt(
                name,
                attempt,
                groupAttempt,
                ProcessState.WAITING,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty());
    }

    public ProcessKey key(JobId job) {
        return new ProcessKey(job, name, attempt);
    }

    /**
     * The end of an attempt.
     *
     * @param code       exit code, 128 + n for signal n as shells and container runtimes tell it; absent when Lost
     * @param cause      why; absent after exit 0 and when Muster itself ended it
     * @param reason     one sentence, starts with the cause's code; absent with it
     * @param at         when it ended, by the clock of its host
     */
    public record Exit(OptionalInt code, Optional<Cause> cause, Optional<String> reason, Instant at) {
        /** Whether it ended by itself with code 0. */
        public boolean isSuccess() {
            return code.isPresent() && code.getAsInt() == 0;
        }

        /** Name of the signal without SIG that ended it, told from codes above 128. */
        public Optional<String> signal() {
            return code.isPresent() ? Signals.ofExitCode(code.getAsInt()) : Optional.empty();
        }
    }
}
