package dev.muster.model;

import java.time.Instant;
import java.util.Optional;

/**
 * One step that a job or a process of it took, never changed once stored.
 *
 * @param job     the job
 * @param seq     order over all jobs of one store; 0 until the store gives it
 * @param at      when
 * @param process the process; empty for a step of the job
 * @param from    state before; empty for the first
 * @param to      state after
 * @param cause   why, where there is a why
 * @param reason  one sentence, where there is one
 */
public record Event(
        JobId job,
        long seq,
        Instant at,
        Optional<ProcessName> process,
        Optional<String> from,
        String to,
        Optional<Cause> cause,
        Optional<String> reason) {}
